package dev.muster.controllers.volumes;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes the protection finalizer of a deleted VolumeAttributesClass when no volume and no claim
 * names it. Works on one virtual thread.
 */
public final class AttributesClassProtection implements LoopController {
  static final String FINALIZER = "kubernetes.io/vac-protection";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "volumeattributesclass-protection-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  /** The classes that a volume or claim names: requested, current or target. */
  static Set<String> classes(JsonObject volumeOrClaim) {
    var status = volumeOrClaim.object("status");
    return Stream.of(
            volumeOrClaim.object("spec").string("volumeAttributesClassName"),
            status.string("currentVolumeAttributesClassName"),
            status.object("modifyVolumeStatus").string("targetVolumeAttributesClassName"))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private static final class Running {
    private final ApiResource classes;
    private final ApiResource volumes;
    private final ApiResource claims;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;

    Running(Loops loops) {
      var requests = loops.requests();
      classes = new ApiResource(requests, "/apis/storage.k8s.io/v1", "volumeattributesclasses");
      volumes = new ApiResource(requests, "/api/v1", "persistentvolumes");
      claims = new ApiResource(requests, "/api/v1", "persistentvolumeclaims");
      loop = new CachedLoop<>("vacprotection", loops);
      cache = loop.cache(classes.path(""), ObjectCache::whole, this::classChanged);
      loop.cache(volumes.path(""), Running::keep, this::userChanged, this::lookAgain);
      loop.cache(claims.path(""), Running::keep, this::userChanged, this::lookAgain);
      loop.start(1, LONGEST_PAUSE, this::sync);
    }

    private static JsonObject keep(JsonObject user) {
      var status = user.object("status");
      return JsonObject.of(
          "metadata",
          ObjectCache.identity(user),
          "spec",
          JsonObject.of(
              "volumeAttributesClassName", user.object("spec").string("volumeAttributesClassName")),
          "status",
          JsonObject.of(
              "currentVolumeAttributesClassName",
              status.string("currentVolumeAttributesClassName"),
              "modifyVolumeStatus",
              status.object("modifyVolumeStatus")));
    }

    private void classChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null && Finalizers.needsWork(now, FINALIZER)) {
        loop.add(ObjectKey.of(now));
      }
    }

    /** Checks again after a watch gap, in which the last user may have been deleted. */
    private void lookAgain() {
      cache.all().forEach(found -> classChanged(null, found));
    }

    private void userChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old != null) {
        for (var name : classes(old)) {
          if (now == null || !classes(now).contains(name)) {
            loop.add(new ObjectKey("", name));
          }
        }
      }
    }

    private boolean sync(ObjectKey key) {
      var found = cache.get("", key.name());
      if (found == null || !Finalizers.needsWork(found, FINALIZER)) {
        return true;
      }
      if (!Finalizers.isDeleting(found)) {
        cache.written(ObjectCache.whole(Finalizers.add(classes, found, FINALIZER)));
        return true;
      }
      // Listed live: the cache may not contain a claim that was just created.
      var used = new boolean[1];
      volumes.list("", volume -> used[0] |= classes(volume).contains(key.name()));
      claims.list("", claim -> used[0] |= classes(claim).contains(key.name()));
      if (!used[0]) {
        Finalizers.remove(classes, found, FINALIZER);
      }
      return true;
    }
  }
}
