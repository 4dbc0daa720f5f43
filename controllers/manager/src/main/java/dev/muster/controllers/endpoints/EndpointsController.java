package dev.muster.controllers.endpoints;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the Endpoints of services with a selector, for clients that do not read EndpointSlices,
 * and deletes them with their service. Works on virtual threads, one service on one of them at a
 * time.
 */
public final class EndpointsController implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

  private final int parallel;

  /**
   * @param parallel the number of services processed concurrently
   */
  public EndpointsController(int parallel) {
    this.parallel = parallel;
  }

  @Override
  public String name() {
    return "endpoints-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final ApiResource endpoints;
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache services;
    private final ObjectCache pods;
    private final ObjectCache cache;
    private final TriggerTimes times = new TriggerTimes();

    Running(Loops loops) {
      var requests = loops.requests();
      endpoints = new ApiResource(requests, "/api/v1", "endpoints");
      loop = new CachedLoop<>("endpoint", loops);
      services = loop.cache("/api/v1/services", ObjectCache::whole, this::serviceChanged);
      pods = loop.cache("/api/v1/pods", PodEndpoints::keep, this::podChanged);
      cache = loop.cache(endpoints.path(""), ObjectCache::whole, this::endpointsChanged);
      loop.start(parallel, LONGEST_PAUSE, this::sync);
    }

    private void serviceChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      loop.add(ObjectKey.of(Objects.requireNonNull(now == null ? old : now)));
    }

    private void podChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      ServiceSelectors.services(old, now, services).forEach(loop::add);
    }

    /** Also covers Endpoints whose service was deleted while this controller did not run. */
    private void endpointsChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      var seen = Objects.requireNonNull(now == null ? old : now);
      if (!seen.object("metadata").object("annotations").has(LEADER)) {
        loop.add(ObjectKey.of(seen));
      }
    }

    private boolean sync(ObjectKey key) {
      var service = services.get(key.namespace(), key.name());
      var current = cache.get(key.namespace(), key.name());
      if (service == null) {
        times.forget(key);
        if (current != null && isMine(current)) {
          endpoints.delete(current);
          cache.deleted(current);
        }
        return true;
      }
      if (!ServiceSelectors.selects(service)) {
        return true;
      }
      var selected = ServiceSelectors.pods(service, pods);
      var time = times.next(service, selected);
      var next = EndpointsPlan.next(service, selected, current, time);
      if (next.isPresent()) {
        write(next.get(), current == null);
      }
      return true;
    }

    /** Endpoints that a user created without a service are left alone. */
    private static boolean isMine(JsonObject endpoints) {
      return endpoints
          .object("metadata")
          .object("labels")
          .string(EndpointsPlan.MANAGED_BY)
          .equals(EndpointsPlan.MANAGER);
    }

    private void write(JsonObject next, boolean creates) {
      try {
        cache.written(ObjectCache.whole(creates ? endpoints.create(next) : endpoints.update(next)));
      } catch (KubernetesClientException e) {
        if (!creates || !SliceWriter.isNamespaceGoing(e)) {
          throw e;
        }
      }
    }
  }
}
