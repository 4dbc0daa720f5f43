package dev.muster.model.quota;

import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * The requests and limits of a whole pod: the sum of its containers, or the maximum of an init
 * container if higher.
 */
public final class PodUsage {
  private static final String LIMITS = "limits";

  private PodUsage() {}

  /**
   * The values of the spec alone, without overhead. Of pod-level resources, only cpu and memory
   * count.
   *
   * @param field {@code requests} or {@code limits}
   */
  public static ResourceList of(JsonObject spec, String field) {
    var total = ofContainers(spec, field, Map.of(), false);
    ResourceList.of(spec.object("resources", field))
        .amounts()
        .forEach(
            (name, amount) -> {
              if (name.equals("cpu") || name.equals("memory")) {
                total.put(name, amount);
              }
            });
    return total;
  }

  /** The requests of the spec, including the pod's overhead. */
  public static ResourceList requests(JsonObject spec) {
    return requests(spec, Map.of(), false);
  }

  /**
   * The requests of a pod including its overhead. During a resize, resources that it still holds
   * count, too.
   */
  static ResourceList requests(JsonObject spec, JsonObject status) {
    return requests(spec, statuses(status), isInfeasible(status));
  }

  private static ResourceList requests(
      JsonObject spec, Map<String, JsonObject> statuses, boolean infeasible) {
    var total = ofContainers(spec, "requests", statuses, infeasible);
    putPodLevel(total, spec, "requests");
    total.add(ResourceList.of(spec.object("overhead")));
    return total;
  }

  /**
   * The limits of a pod including its overhead. During a resize, limits that still apply count,
   * too.
   */
  static ResourceList limits(JsonObject spec, JsonObject status) {
    var total = ofContainers(spec, LIMITS, statuses(status), isInfeasible(status));
    putPodLevel(total, spec, LIMITS);
    ResourceList.of(spec.object("overhead"))
        .amounts()
        .forEach(
            (name, amount) -> {
              if (!total.get(name).isZero()) {
                total.add(name, amount);
              }
            });
    return total;
  }

  /** Whether the pod declares pod-level resources. */
  static boolean isPodLevel(JsonObject spec) {
    var resources = spec.object("resources");
    return resources.object("requests").keys().stream().anyMatch(PodUsage::isForPods)
        || resources.object(LIMITS).keys().stream().anyMatch(PodUsage::isForPods);
  }

  private static boolean isForPods(String name) {
    return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
  }

  private static void putPodLevel(ResourceList total, JsonObject spec, String field) {
    ResourceList.of(spec.object("resources", field))
        .amounts()
        .forEach(
            (name, amount) -> {
              if (isForPods(name)) {
                total.put(name, amount);
              }
            });
  }

  private static ResourceList ofContainers(
      JsonObject spec, String field, Map<String, JsonObject> statuses, boolean infeasible) {
    var total = new ResourceList();
    for (var container : spec.array("containers").objects()) {
      total.add(of(container, field, statuses, infeasible));
    }
    var sidecars = new ResourceList();
    var initial = new ResourceList();
    for (var container : spec.array("initContainers").objects()) {
      if (container.string("restartPolicy").equals("Always")) {
        var own = of(container, field, statuses, infeasible);
        total.add(own);
        sidecars.add(own);
        initial.raise(sidecars);
      } else {
        var own = ResourceList.of(container.object("resources", field));
        own.add(sidecars);
        initial.raise(own);
      }
    }
    total.raise(initial);
    return total;
  }

  /**
   * The maximum of a container's desired, allocated and actual resources. Desired ones do not count
   * when the resize is infeasible.
   */
  private static ResourceList of(
      JsonObject container, String field, Map<String, JsonObject> statuses, boolean infeasible) {
    var wanted = ResourceList.of(container.object("resources", field));
    var status = statuses.get(container.string("name"));
    if (status == null || !status.has("resources")) {
      return wanted;
    }
    var most = infeasible ? new ResourceList() : wanted;
    most.raise(ResourceList.of(status.object("resources", field)));
    if (!field.equals(LIMITS)) {
      most.raise(ResourceList.of(status.object("allocatedResources")));
    }
    return most;
  }

  private static Map<String, JsonObject> statuses(JsonObject status) {
    var all = new HashMap<String, JsonObject>();
    for (var one : status.array("containerStatuses").objects()) {
      all.put(one.string("name"), one);
    }
    for (var one : status.array("initContainerStatuses").objects()) {
      all.put(one.string("name"), one);
    }
    return all;
  }

  private static boolean isInfeasible(JsonObject status) {
    for (var condition : status.array("conditions").objects()) {
      if (condition.string("type").equals("PodResizePending")) {
        return condition.string("reason").equals("Infeasible");
      }
    }
    return false;
  }
}
