package dev.muster.controllers.pods;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Selects the pods to collect. */
final class PodCollection {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  private PodCollection() {}

  /** Why a pod is collected. */
  enum Reason {
    TERMINATED,
    OUT_OF_SERVICE,
    ORPHANED,
    UNSCHEDULED
  }

  /** A pod to collect. */
  record Collected(JsonObject pod, Reason reason) {}

  /**
   * @param threshold the largest number of finished pods; 0 for no limit
   * @param nodes finds a Node by name
   * @param goneNodes names of Nodes that are known not to exist
   */
  static List<Collected> collect(
      List<JsonObject> pods,
      int threshold,
      Function<String, @Nullable JsonObject> nodes,
      Set<String> goneNodes) {
    Map<String, Collected> collected = new LinkedHashMap<>();
    if (threshold > 0) {
      var finished = new ArrayList<>(pods.stream().filter(PodCollection::isFinished).toList());
      finished.sort(
          Comparator.comparing((JsonObject pod) -> !isEvicted(pod))
              .thenComparing(PodCollection::created)
              .thenComparing(pod -> pod.object("metadata").string("name")));
      int surplus = Math.max(0, finished.size() - threshold);
      finished.subList(0, surplus).forEach(pod -> put(collected, pod, Reason.TERMINATED));
    }
    for (var pod : pods) {
      var name = pod.object("spec").string("nodeName");
      boolean deleting = pod.object("metadata").has("deletionTimestamp");
      var node = name.isEmpty() ? null : nodes.apply(name);
      if (deleting && node != null && isOutOfService(node)) {
        put(collected, pod, Reason.OUT_OF_SERVICE);
      } else if (!name.isEmpty() && goneNodes.contains(name)) {
        put(collected, pod, Reason.ORPHANED);
      } else if (deleting && name.isEmpty()) {
        put(collected, pod, Reason.UNSCHEDULED);
      }
    }
    return List.copyOf(collected.values());
  }

  private static void put(Map<String, Collected> all, JsonObject pod, Reason reason) {
    all.putIfAbsent(pod.object("metadata").string("uid"), new Collected(pod, reason));
  }

  static boolean isFinished(JsonObject pod) {
    return switch (pod.object("status").string("phase")) {
      case "", "Pending", "Running", "Unknown" -> false;
      default -> true;
    };
  }

  private static boolean isEvicted(JsonObject pod) {
    var status = pod.object("status");
    return status.string("phase").equals("Failed") && status.string("reason").equals("Evicted");
  }

  private static Instant created(JsonObject pod) {
    var time = Timestamps.read(pod.object("metadata").get("creationTimestamp"));
    return time == null ? Instant.EPOCH : time;
  }

  private static boolean isOutOfService(JsonObject node) {
    return !StatusConditions.isTrue(node.object("status").array("conditions"), "Ready")
        && node.object("spec").array("taints").objects().stream()
            .anyMatch(taint -> taint.string("key").equals(OUT_OF_SERVICE));
  }
}
