package dev.muster.registry.types.builtin;

import dev.muster.registry.conversion.BudgetSelector;
import dev.muster.registry.rules.workloads.BudgetRules;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import java.util.List;

/** The types of {@code policy}. */
final class PolicyTypes implements TypeRules {
  private PolicyTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new PolicyTypes();
    var v1 = new TypeTable("policy/v1", 17100, 15, rules);
    v1.namespaced("poddisruptionbudgets", "PodDisruptionBudget", "pdb")
        .status()
        .conversion(new BudgetSelector());
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "poddisruptionbudgets" -> BudgetRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "poddisruptionbudgets" -> WorkloadTables.disruptionBudget();
      default -> TableSpec.PLAIN;
    };
  }
}
