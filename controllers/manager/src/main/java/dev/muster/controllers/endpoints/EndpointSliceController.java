package dev.muster.controllers.endpoints;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the EndpointSlices of services with a selector: each selected pod is in one slice per
 * address family. Works on virtual threads, one service on one of them at a time.
 */
public final class EndpointSliceController implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final int parallel;
  private final int most;
  private final Clock clock;

  /**
   * @param parallel the number of services processed concurrently
   * @param most the largest number of endpoints in a slice
   */
  public EndpointSliceController(int parallel, int most, Clock clock) {
    this.parallel = parallel;
    this.most = most;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "endpointslice-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    return new Running(loops).loop;
  }

  private final class Running {
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache services;
    private final ObjectCache pods;
    private final ObjectCache nodes;
    private final SliceWriter writer;
    private final TriggerTimes times = new TriggerTimes();
    private final HintEvents events;

    /** Services whose endpoints have proportional hints. */
    private final Set<ObjectKey> divided = ConcurrentHashMap.newKeySet();

    Running(Loops loops) {
      var requests = loops.requests();
      events = new HintEvents(new EventRecorder(requests, name(), clock));
      loop = new CachedLoop<>("endpoint_slice", loops);
      services = loop.cache("/api/v1/services", ObjectCache::whole, this::serviceChanged);
      writer =
          new SliceWriter(
              new ApiResource(requests, "/apis/discovery.k8s.io/v1", "endpointslices"),
              loop,
              SlicePlan.MANAGER);
      pods = loop.cache("/api/v1/pods", PodEndpoints::keep, this::podChanged);
      nodes = loop.cache("/api/v1/nodes", Running::keepNode, this::nodeChanged);
      loop.start(parallel, LONGEST_PAUSE, this::sync);
    }

    private static JsonObject keepNode(JsonObject node) {
      var metadata = node.object("metadata");
      var status = node.object("status");
      var ready =
          status.array("conditions").objects().stream()
              .filter(condition -> condition.string("type").equals("Ready"))
              .map(
                  condition -> JsonObject.of("type", "Ready", "status", condition.string("status")))
              .toList();
      return JsonObject.of(
          "metadata",
          JsonObject.of(
              "name",
              metadata.string("name"),
              "uid",
              metadata.string("uid"),
              "resourceVersion",
              metadata.string("resourceVersion"),
              "labels",
              metadata.object("labels")),
          "status",
          JsonObject.builder()
              .put("conditions", JsonArray.of(ready))
              .put(
                  "allocatable",
                  JsonObject.builder()
                      .putIf("cpu", status.object("allocatable").get("cpu"))
                      .build())
              .build());
    }

    private void serviceChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null) {
        var key = ObjectKey.of(now);
        if (TrafficHints.of(now) == TrafficHints.PROPORTIONAL) {
          divided.add(key);
        } else {
          divided.remove(key);
        }
        loop.add(key);
      } else if (old != null) {
        divided.remove(ObjectKey.of(old));
        times.forget(ObjectKey.of(old));
        events.forget(ObjectKey.of(old));
      }
    }

    private void podChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      ServiceSelectors.services(old, now, services).forEach(loop::add);
    }

    /**
     * Queues services with pods that were left out because their Node was unknown, or whose zone
     * changed.
     */
    private void nodeChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old != null && now != null && ZoneShares.zone(old).equals(ZoneShares.zone(now))) {
        if (ZoneShares.isReady(old) != ZoneShares.isReady(now)) {
          divided.forEach(loop::add);
        }
        return;
      }
      divided.forEach(loop::add);
      var node = now == null ? old : now;
      if (node != null) {
        var name = node.object("metadata").string("name");
        pods.all().stream()
            .filter(pod -> pod.object("spec").string("nodeName").equals(name))
            .forEach(pod -> podChanged(null, pod));
      }
    }

    /** The zones' shares of processors, if the service asks for proportional hints. */
    private ZoneShares shares(JsonObject service) {
      return TrafficHints.of(service) == TrafficHints.PROPORTIONAL
          ? ZoneShares.of(nodes.all())
          : ZoneShares.UNKNOWN;
    }

    /** Whether no pod was left out for a missing Node. */
    private boolean sync(ObjectKey key) {
      var service = services.get(key.namespace(), key.name());
      if (service == null || !ServiceSelectors.selects(service)) {
        return true;
      }
      var selected = ServiceSelectors.pods(service, pods);
      var plan = new SlicePlan(service, most, name -> nodes.get("", name), shares(service));
      var changes = plan.changes(selected, writer.slicesOf(key));
      var time = times.next(service, selected);
      boolean deleting = service.object("metadata").has("deletionTimestamp");
      writer.write(changes, time, !deleting);
      events.report(service, plan.hintProblems());
      return plan.complete();
    }
  }
}
