package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.flowcontrol.FlowSchemaRules;
import dev.muster.registry.rules.flowcontrol.PriorityLevelRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code flowcontrol.apiserver.k8s.io}. */
final class FlowControlTypes {
  private FlowControlTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("flowcontrol.apiserver.k8s.io/v1", 16100, 21);
    v1.cluster("flowschemas", "FlowSchema", FlowSchemaRules.STRATEGY)
        .status()
        .table(GroupTables.flowSchema())
        .resets("status", "metadata", "spec");
    v1.cluster(
            "prioritylevelconfigurations",
            "PriorityLevelConfiguration",
            PriorityLevelRules.STRATEGY)
        .status()
        .table(GroupTables.priorityLevel())
        .resets("status", "metadata", "spec");
    return v1.builders();
  }
}
