package dev.muster.controllers.endpoints;

import dev.muster.controllers.ApiRequests;
import dev.muster.controllers.ApiResource;
import dev.muster.controllers.CachedLoop;
import dev.muster.controllers.Controller;
import dev.muster.controllers.ObjectCache;
import dev.muster.controllers.ObjectKey;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Works on virtual threads, one service on one of them at a time. The EndpointSlices of a service
 * with a selector hold the pods that it selects, each in one slice of each family of addresses.
 */
public final class EndpointSliceController implements Controller {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final int parallel;
  private final int most;

  /**
   * @param parallel how many services are worked on at a time
   * @param most how many endpoints a slice holds
   */
  public EndpointSliceController(int parallel, int most) {
    this.parallel = parallel;
    this.most = most;
  }

  @Override
  public String name() {
    return "endpointslice-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return new Running(client).loop;
  }

  private final class Running {
    private final CachedLoop<ObjectKey> loop;
    private final ObjectCache services;
    private final ObjectCache pods;
    private final ObjectCache nodes;
    private final SliceWriter writer;
    private final TriggerTimes times = new TriggerTimes();

    Running(KubernetesClient client) {
      var requests = new ApiRequests(client);
      loop = new CachedLoop<>("endpoint_slice", requests);
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
              metadata.object("labels")));
    }

    private void serviceChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (now != null) {
        loop.add(ObjectKey.of(now));
      } else if (old != null) {
        times.forget(ObjectKey.of(old));
      }
    }

    private void podChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      ServiceSelectors.services(old, now, services).forEach(loop::add);
    }

    /** Pods that were left out for want of their Node, or whose zone is another, matter now. */
    private void nodeChanged(@Nullable JsonObject old, @Nullable JsonObject now) {
      if (old != null && now != null && zone(old).equals(zone(now))) {
        return;
      }
      var node = now == null ? old : now;
      if (node != null) {
        var name = node.object("metadata").string("name");
        pods.all().stream()
            .filter(pod -> pod.object("spec").string("nodeName").equals(name))
            .forEach(pod -> podChanged(null, pod));
      }
    }

    private static String zone(JsonObject node) {
      return node.object("metadata").object("labels").string("topology.kubernetes.io/zone");
    }

    /** Whether nothing is missing. */
    private boolean sync(ObjectKey key) {
      var service = services.get(key.namespace(), key.name());
      if (service == null || !ServiceSelectors.selects(service)) {
        return true;
      }
      var selected = ServiceSelectors.pods(service, pods);
      var plan = new SlicePlan(service, most, name -> nodes.get("", name));
      var changes = plan.changes(selected, writer.slicesOf(key));
      var time = times.next(service, selected);
      boolean deleting = service.object("metadata").has("deletionTimestamp");
      writer.write(changes, time, !deleting);
      return plan.complete();
    }
  }
}
