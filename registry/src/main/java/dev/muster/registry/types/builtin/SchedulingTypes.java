package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.workloads.PriorityClassRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code scheduling.k8s.io}. */
final class SchedulingTypes {
  private SchedulingTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("scheduling.k8s.io/v1", 16600, 15);
    v1.cluster("priorityclasses", "PriorityClass", PriorityClassRules.STRATEGY, "pc")
        .table(GroupTables.priorityClass());
    return v1.builders();
  }
}
