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
import org.jspecify.annotations.Nullable;

/**
 * Removes the protection finalizer of a deleted PersistentVolumeClaim when no pod uses it. Works on
 * virtual threads, one claim on one of them at a time.
 */
public final class ClaimProtection implements LoopController {
  static final String FINALIZER = "kubernetes.io/pvc-protection";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int PARALLEL = 2;

  @Override
  public String name() {
    return "persistentvolumeclaim-protection-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private static final class Running {
    private final ApiResource claims;
    private final ApiResource pods;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache cache;

    Running(Loops loops) {
      var requests = loops.requests();
      claims = new ApiResource(requests, "/api/v1", "persistentvolumeclaims");
      pods = new ApiResource(requests, "/api/v1", "pods");
      loop = new CachedLoop<>("pvcprotection", loops);
      cache = loop.cache(claims.path(""), ObjectCache::whole, this::claimChanged);
      loop.cache(pods.path(""), Running::keep, this::podChanged, this::lookAgain);
      loop.start(PARALLEL, LONGEST_PAUSE, this::sync);
    }

    private static JsonObject keep(JsonObject pod) {
      return JsonObject.of(
          "metadata",
          ObjectCache.identity(pod),
          "spec",
          JsonObject.of(
              "nodeName",
              pod.object("spec").string("nodeName"),
              "volumes",
              pod.object("spec").array("volumes")));
    }

    private void claimChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null && Finalizers.needsWork(now, FINALIZER)) {
        loop.add(ObjectKey.of(now));
      }
    }

    /** Checks again after a watch gap, in which the last pod may have been deleted. */
    private void lookAgain() {
      cache.all().forEach(claim -> claimChanged(null, claim));
    }

    /** A pod that finishes, is deleted or replaced by one of the same name may release claims. */
    private void podChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old != null) {
        var namespace = old.object("metadata").string("namespace");
        for (var name : ClaimUsers.claims(old)) {
          loop.add(new ObjectKey(namespace, name));
        }
      }
    }

    private boolean sync(ObjectKey key) {
      var claim = cache.get(key.namespace(), key.name());
      if (claim == null || !Finalizers.needsWork(claim, FINALIZER)) {
        return true;
      }
      if (!Finalizers.isDeleting(claim)) {
        cache.written(ObjectCache.whole(Finalizers.add(claims, claim, FINALIZER)));
        return true;
      }
      var used = new boolean[1];
      pods.list(key.namespace(), pod -> used[0] |= ClaimUsers.uses(pod, claim));
      if (!used[0]) {
        Finalizers.remove(claims, claim, FINALIZER);
      }
      return true;
    }
  }
}
