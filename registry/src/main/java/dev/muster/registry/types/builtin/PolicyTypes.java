package dev.muster.registry.types.builtin;

import dev.muster.registry.conversion.BudgetSelector;
import dev.muster.registry.rules.workloads.BudgetRules;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code policy}. */
final class PolicyTypes {
  private PolicyTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("policy/v1", 17100, 15);
    v1.namespaced("poddisruptionbudgets", "PodDisruptionBudget", BudgetRules.STRATEGY, "pdb")
        .status()
        .conversion(new BudgetSelector())
        .table(WorkloadTables.disruptionBudget());
    return v1.builders();
  }
}
