package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.workloads.RuntimeClassRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code node.k8s.io}. */
final class NodeTypes {
  private NodeTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("node.k8s.io/v1", 16300, 15);
    v1.cluster("runtimeclasses", "RuntimeClass", RuntimeClassRules.STRATEGY)
        .table(GroupTables.runtimeClass());
    return v1.builders();
  }
}
