package dev.muster.controllers.endpoints;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the slices of one manager and tracks their state after its own writes, even before the
 * watch reports them. If another client changes a slice, its service is processed again.
 * Thread-safe, if each service is written by one thread at a time.
 */
final class SliceWriter {
  private final ApiResource slices;
  private final CachedLoop<ObjectKey> loop;
  private final ObjectCache cache;

  SliceWriter(ApiResource slices, CachedLoop<ObjectKey> loop, String manager) {
    this.slices = slices;
    this.loop = loop;
    var mine = "?labelSelector=" + SlicePlan.MANAGED_BY + "%3D" + manager;
    cache = loop.cache(slices.path("") + mine, ObjectCache::whole, this::changed);
  }

  private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
    if (old != null) {
      loop.add(service(old));
    }
    if (now != null) {
      loop.add(service(now));
    }
  }

  static ObjectKey service(JsonObject slice) {
    var metadata = slice.object("metadata");
    return new ObjectKey(
        metadata.string("namespace"), metadata.object("labels").string(SlicePlan.SERVICE_NAME));
  }

  /** The slices that are not being deleted. */
  List<JsonObject> slicesOf(ObjectKey service) {
    return cache.list(service.namespace()).stream()
        .filter(slice -> service(slice).equals(service))
        .filter(slice -> !slice.object("metadata").has("deletionTimestamp"))
        .toList();
  }

  /** Creates new slices first, so that no endpoint is missing while it moves. */
  void write(SliceChanges changes, Optional<Instant> time, boolean creates) {
    if (creates) {
      for (var slice : changes.create()) {
        create(TriggerTimes.stamp(slice, time));
      }
    }
    for (var slice : changes.update()) {
      cache.written(ObjectCache.whole(slices.update(TriggerTimes.stamp(slice, time))));
    }
    for (var slice : changes.delete()) {
      slices.delete(slice);
      cache.deleted(slice);
    }
  }

  private void create(JsonObject slice) {
    try {
      cache.written(ObjectCache.whole(slices.create(slice)));
    } catch (KubernetesClientException e) {
      if (!isNamespaceGoing(e)) {
        throw e;
      }
    }
  }

  static boolean isNamespaceGoing(KubernetesClientException e) {
    return e.getCode() == 404
        || (e.getCode() == 403
            && Objects.requireNonNullElse(e.getMessage(), "").contains("being terminated"));
  }
}
