package dev.muster.controllers.services;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Sets the Ready condition of ServiceCIDRs, and removes the finalizer of a deleted one when no
 * Service address depends on it alone. Works on one virtual thread.
 */
public final class ServiceRangeController implements LoopController {
  private static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** By then all API servers have stopped allocating addresses from it. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final String ALL = "all";

  private final Clock clock;

  public ServiceRangeController(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "service-cidr-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final ApiResource ranges;
    private final CachedLoop<String> loop;
    private final ObjectCache cache;
    private final ObjectCache addresses;

    Running(Loops loops) {
      var requests = loops.requests();
      ranges = new ApiResource(requests, "/apis/networking.k8s.io/v1", "servicecidrs");
      loop = new CachedLoop<>("ipaddresses", loops);
      cache = loop.cache(ranges.path(""), ObjectCache::whole, this::changed);
      addresses =
          loop.cache("/apis/networking.k8s.io/v1/ipaddresses", ObjectCache::whole, this::changed);
      loop.start(1, LONGEST_PAUSE, this::sync);
    }

    /**
     * A change of any range or IPAddress may release a range; there are only a few ranges, so all
     * are checked.
     */
    private void changed(@Nullable JsonObject old, @Nullable JsonObject now) {
      loop.add(ALL);
    }

    private boolean sync(String key) {
      for (var range : cache.all()) {
        sync(range, clock.instant());
      }
      return true;
    }

    private void sync(JsonObject range, Instant now) {
      if (!Finalizers.isDeleting(range)) {
        var held = range;
        if (!Finalizers.has(range, FINALIZER)) {
          held = ObjectCache.whole(Finalizers.add(ranges, range, FINALIZER));
          cache.written(held);
        }
        report(held, "True", "", "Kubernetes Service CIDR is ready", now);
        return;
      }
      if (!ServiceRanges.canGo(range, cache.all(), addresses.all())) {
        report(
            range,
            "False",
            "Terminating",
            "There are still IPAddresses referencing the ServiceCIDR, please remove them or create"
                + " a new ServiceCIDR",
            now);
        return;
      }
      var deleted = Timestamps.read(range.object("metadata").get("deletionTimestamp"));
      var left = deleted == null ? Duration.ZERO : Duration.between(now, deleted.plus(GRACE));
      if (left.isPositive()) {
        loop.addAfter(ALL, left.plusMillis(1));
      } else if (Finalizers.has(range, FINALIZER)) {
        Finalizers.remove(ranges, range, FINALIZER);
      }
    }

    private void report(
        JsonObject range, String status, String reason, String message, Instant now) {
      var before = StatusConditions.find(range.object("status").array("conditions"), "Ready");
      if (before.string("status").equals(status)
          && before.string("reason").equals(reason)
          && before.string("message").equals(message)) {
        return;
      }
      var condition =
          JsonObject.of(
              "type", "Ready",
              "status", status,
              "reason", reason,
              "message", message,
              "lastTransitionTime", Timestamps.format(now));
      var applied =
          JsonObject.of(
              "apiVersion",
              "networking.k8s.io/v1",
              "kind",
              "ServiceCIDR",
              "metadata",
              JsonObject.of("name", ServiceRanges.name(range)),
              "status",
              JsonObject.of("conditions", JsonArray.of(condition)));
      try {
        cache.written(ObjectCache.whole(ranges.applyStatus(applied, name())));
      } catch (KubernetesClientException e) {
        if (!ApiResource.isGone(e)) {
          throw e;
        }
      }
    }
  }
}
