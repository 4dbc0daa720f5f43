package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.conversion.BudgetSelector;
import dev.muster.types.table.TableSpec;
import dev.muster.types.table.WorkloadTables;
import dev.muster.validation.apps.BudgetRules;
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
