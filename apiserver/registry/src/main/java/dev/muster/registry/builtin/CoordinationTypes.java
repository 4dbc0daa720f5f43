package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.core.LeaseRules;
import java.util.List;

/** The types of {@code coordination.k8s.io}. */
final class CoordinationTypes implements TypeRules {
  private CoordinationTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new CoordinationTypes();
    var v1 = new TypeTable("coordination.k8s.io/v1", 16500, 15, rules);
    v1.namespaced("leases", "Lease");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "leases" -> LeaseRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "leases" -> GroupTables.lease();
      default -> TableSpec.PLAIN;
    };
  }
}
