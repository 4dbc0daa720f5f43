package dev.muster.authorization.bootstrap;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonObject;
import java.util.List;

/** The two system priority classes. */
final class PriorityDefaults {
  private static final GroupVersion VERSION = new GroupVersion("scheduling.k8s.io", "v1");

  private PriorityDefaults() {}

  static List<BootstrapObject> all() {
    return List.of(
        of(
            "system-node-critical",
            2_000_001_000,
            "Used for system critical pods that must not be moved from their current node."),
        of(
            "system-cluster-critical",
            2_000_000_000,
            "Used for system critical pods that must run in the cluster, but can be moved to"
                + " another node if necessary."));
  }

  private static BootstrapObject of(String name, long value, String description) {
    return new BootstrapObject(
        VERSION.resource("priorityclasses"),
        JsonObject.of(
            "kind",
            "PriorityClass",
            "apiVersion",
            VERSION.toString(),
            "metadata",
            JsonObject.of("name", name),
            "value",
            value,
            "description",
            description,
            "preemptionPolicy",
            "PreemptLowerPriority"));
  }
}
