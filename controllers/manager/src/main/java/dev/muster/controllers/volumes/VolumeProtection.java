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

/**
 * Removes the protection finalizer of a deleted PersistentVolume when it is not bound to a claim.
 * Works on one virtual thread.
 */
public final class VolumeProtection implements LoopController {
  static final String FINALIZER = "kubernetes.io/pv-protection";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "persistentvolume-protection-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var requests = loops.requests();
    var volumes = new ApiResource(requests, "/api/v1", "persistentvolumes");
    var loop = new CachedLoop<ObjectKey>("pvprotection", loops);
    var cache =
        loop.cache(
            volumes.path(""),
            ObjectCache::whole,
            (old, now) -> {
              if (now != null && needsWork(now)) {
                loop.add(ObjectKey.of(now));
              }
            });
    return loop.start(
        1,
        LONGEST_PAUSE,
        key -> {
          var volume = cache.get("", key.name());
          if (volume != null && needsWork(volume)) {
            if (Finalizers.isDeleting(volume)) {
              Finalizers.remove(volumes, volume, FINALIZER);
            } else {
              cache.written(ObjectCache.whole(Finalizers.add(volumes, volume, FINALIZER)));
            }
          }
          return true;
        });
  }

  static boolean needsWork(JsonObject volume) {
    return Finalizers.needsWork(volume, FINALIZER)
        && !(Finalizers.isDeleting(volume)
            && volume.object("status").string("phase").equals("Bound"));
  }
}
