package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computes the Endpoints of a service. */
final class EndpointsPlan {
  static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
  static final String MANAGER = "endpoint-controller";
  private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
  private static final int CAPACITY = 1000;

  private EndpointsPlan() {}

  /**
   * The Endpoints to write, if they differ.
   *
   * @param current the existing Endpoints
   */
  static Optional<JsonObject> next(
      JsonObject service,
      List<JsonObject> pods,
      @Nullable JsonObject current,
      Optional<Instant> time) {
    var all = subsets(service, pods);
    var kept = truncated(all);
    var labels = JsonObject.ofStrings(labels(service));
    boolean over = !kept.equals(all);
    if (current != null
        && Subsets.of(current.array("subsets")).packed().equals(Subsets.of(kept).packed())
        && current.object("metadata").object("labels").equals(labels)
        && over == isOverCapacity(current)) {
      return Optional.empty();
    }
    var metadata = service.object("metadata");
    var base =
        current == null
            ? JsonObject.of(
                "apiVersion",
                "v1",
                "kind",
                "Endpoints",
                "metadata",
                JsonObject.of(
                    "name", metadata.string("name"), "namespace", metadata.string("namespace")))
            : current;
    var annotations = base.object("metadata").object("annotations").without(OVER_CAPACITY);
    if (over) {
      annotations = annotations.with(OVER_CAPACITY, "truncated");
    }
    var next =
        base.with(
                "metadata",
                base.object("metadata").with("labels", labels).with("annotations", annotations))
            .with("subsets", kept);
    return Optional.of(TriggerTimes.stamp(next, time));
  }

  private static boolean isOverCapacity(JsonObject endpoints) {
    return endpoints.object("metadata").object("annotations").has(OVER_CAPACITY);
  }

  private static JsonArray subsets(JsonObject service, List<JsonObject> pods) {
    var spec = service.object("spec");
    boolean all = PodEndpoints.publishesNotReady(service);
    var family = EndpointFamily.first(service);
    var subsets = new Subsets();
    for (var pod : pods) {
      var addresses = PodEndpoints.addresses(pod, family);
      if (!PodEndpoints.isPublished(pod)
          || addresses.isEmpty()
          || (PodEndpoints.isTerminating(pod) && !all)) {
        continue;
      }
      var address = address(pod, addresses.getFirst(), service);
      boolean ready = all || PodEndpoints.isReady(pod);
      var ports = spec.array("ports").objects();
      if (ports.isEmpty() && spec.string("clusterIP").equals("None")) {
        subsets.add(JsonObject.EMPTY, address, ready);
      }
      for (var port : ports) {
        SlicePorts.find(port, pod)
            .ifPresent(number -> subsets.add(port(port, number), address, ready));
      }
    }
    return subsets.packed();
  }

  private static JsonObject port(JsonObject port, long number) {
    return JsonObject.builder()
        .putIf("name", port.string("name"))
        .put("port", number)
        .put("protocol", SlicePorts.protocol(port))
        .putIf("appProtocol", port.string("appProtocol"))
        .build();
  }

  private static JsonObject address(JsonObject pod, String ip, JsonObject service) {
    return JsonObject.builder()
        .put("ip", ip)
        .putIf("hostname", PodEndpoints.hostname(pod, service))
        .putIf("nodeName", pod.object("spec").string("nodeName"))
        .put("targetRef", PodEndpoints.reference(pod.object("metadata")))
        .build();
  }

  private static Map<String, String> labels(JsonObject service) {
    var labels = new LinkedHashMap<>(service.object("metadata").object("labels").strings());
    labels.remove(SlicePlan.HEADLESS);
    var address = service.object("spec").string("clusterIP");
    if (address.isEmpty() || address.equals("None")) {
      labels.put(SlicePlan.HEADLESS, "");
    }
    labels.put(MANAGED_BY, MANAGER);
    return labels;
  }

  /** Truncates to the limit of one object: ready addresses first, each subset proportionally. */
  private static JsonArray truncated(JsonArray subsets) {
    int ready = count(subsets, "addresses");
    int notReady = count(subsets, "notReadyAddresses");
    if (ready + notReady <= CAPACITY) {
      return subsets;
    }
    int readyRoom = Math.min(ready, CAPACITY);
    return share(
        share(subsets, "addresses", ready, readyRoom),
        "notReadyAddresses",
        notReady,
        CAPACITY - readyRoom);
  }

  private static int count(JsonArray subsets, String field) {
    return subsets.objects().stream().mapToInt(subset -> subset.array(field).size()).sum();
  }

  private static JsonArray share(JsonArray subsets, String field, int total, int room) {
    var shared = new ArrayList<Json>();
    int left = room;
    int rest = total;
    for (var subset : subsets.objects()) {
      var addresses = subset.array(field);
      int share = rest == 0 ? 0 : (int) ((long) left * addresses.size() / rest);
      rest -= addresses.size();
      left -= share;
      if (share == addresses.size()) {
        shared.add(subset);
      } else if (share == 0) {
        shared.add(subset.without(field));
      } else {
        shared.add(subset.with(field, JsonArray.of(addresses.asList().subList(0, share))));
      }
    }
    return JsonArray.of(shared);
  }
}
