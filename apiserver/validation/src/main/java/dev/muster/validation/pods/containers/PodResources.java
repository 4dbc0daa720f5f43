package dev.muster.validation.pods.containers;

import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Computes the total resources of a pod. */
public final class PodResources {
  private static final Set<String> COMPUTE = Set.of("cpu", "memory");

  private PodResources() {}

  /** Whether the resource is allowed at pod level. */
  static boolean isForPods(String name) {
    return COMPUTE.contains(name) || Resources.isHugePages(name);
  }

  /**
   * The total of a pod's containers: the sum of all that run at the same time, or the need of the
   * init containers if it is greater.
   *
   * @param kind requests or limits
   */
  static Map<String, Quantity> ofContainers(JsonObject spec, String kind) {
    var sum = new LinkedHashMap<String, Quantity>();
    for (var container : spec.array("containers").objects()) {
      add(sum, amounts(container, kind));
    }
    var sidecars = new LinkedHashMap<String, Quantity>();
    var starting = new LinkedHashMap<String, Quantity>();
    for (var container : spec.array("initContainers").objects()) {
      var own = amounts(container, kind);
      if (container.string("restartPolicy").equals("Always")) {
        add(sum, own);
        add(sidecars, own);
        most(starting, sidecars);
      } else {
        var now = new LinkedHashMap<>(own);
        add(now, sidecars);
        most(starting, now);
      }
    }
    most(sum, starting);
    return sum;
  }

  private static Map<String, Quantity> amounts(JsonObject container, String kind) {
    return amounts(container.object("resources").object(kind));
  }

  /** The valid quantities. */
  static Map<String, Quantity> amounts(JsonObject list) {
    var found = new LinkedHashMap<String, Quantity>();
    for (int i = 0; i < list.size(); i++) {
      var amount = Resources.parse(list.value(i));
      if (amount != null) {
        found.put(list.key(i), amount);
      }
    }
    return found;
  }

  private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
    more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
  }

  private static void most(Map<String, Quantity> sum, Map<String, Quantity> other) {
    other.forEach(
        (name, amount) ->
            sum.merge(name, amount, (one, two) -> two.compareTo(one) > 0 ? two : one));
  }

  /** Applies the defaults of pod-level resources, if the pod has any. */
  public static JsonObject podLevel(JsonObject spec) {
    if (!(spec.get("resources") instanceof JsonObject resources)) {
      return spec;
    }
    var filled = requests(hugePages(resources, spec), spec);
    return filled == resources ? spec : spec.with("resources", filled);
  }

  private static JsonObject hugePages(JsonObject resources, JsonObject spec) {
    var limits = resources.object("limits");
    var requests = resources.object("requests");
    if (limits.isEmpty() && requests.isEmpty()) {
      return resources;
    }
    var pages = JsonObject.builder();
    ofContainers(spec, "limits")
        .forEach(
            (name, amount) -> {
              if (Resources.isHugePages(name) && !requests.has(name)) {
                pages.put(name, Json.of(amount.toString()));
              }
            });
    var filled = limits.filledFrom(pages.build());
    return filled == limits ? resources : resources.with("limits", filled);
  }

  private static JsonObject requests(JsonObject resources, JsonObject spec) {
    var limits = resources.object("limits");
    if (limits.isEmpty()) {
      return resources;
    }
    var before = resources.object("requests");
    var asked = JsonObject.builder();
    ofContainers(spec, "requests")
        .forEach(
            (name, amount) -> {
              if (COMPUTE.contains(name)) {
                asked.put(name, Json.of(amount.toString()));
              }
            });
    for (int i = 0; i < limits.size(); i++) {
      if (isForPods(limits.key(i)) && !asked.has(limits.key(i))) {
        asked.put(limits.key(i), limits.value(i));
      }
    }
    var filled = before.filledFrom(asked.build());
    return filled == before ? resources : resources.with("requests", filled);
  }

  /** The QoS class of a pod, from its requests and limits. */
  public static String quality(JsonObject spec) {
    var requests = new LinkedHashMap<String, Quantity>();
    var limits = new LinkedHashMap<String, Quantity>();
    boolean guaranteed = true;
    if (spec.get("resources") instanceof JsonObject whole) {
      add(requests, compute(whole.object("requests")));
      add(limits, compute(whole.object("limits")));
      guaranteed = limits.keySet().containsAll(COMPUTE) || whole.object("limits").isEmpty();
    } else {
      for (var list : List.of("containers", "initContainers")) {
        for (var container : spec.array(list).objects()) {
          var resources = container.object("resources");
          var own = compute(resources.object("limits"));
          add(requests, compute(resources.object("requests")));
          add(limits, own);
          guaranteed = guaranteed && own.keySet().containsAll(COMPUTE);
        }
      }
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    return guaranteed && requests.equals(limits) ? "Guaranteed" : "Burstable";
  }

  private static Map<String, Quantity> compute(JsonObject list) {
    var found = amounts(list);
    found
        .entrySet()
        .removeIf(entry -> !COMPUTE.contains(entry.getKey()) || entry.getValue().signum() <= 0);
    return found;
  }
}
