package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.pods.scheduling.PriorityClassRules;
import java.util.List;

/** The types of {@code scheduling.k8s.io}. */
final class SchedulingTypes implements TypeRules {
  private SchedulingTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new SchedulingTypes();
    var v1 = new TypeTable("scheduling.k8s.io/v1", 16600, 15, rules);
    v1.cluster("priorityclasses", "PriorityClass", "pc");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "priorityclasses" -> PriorityClassRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "priorityclasses" -> GroupTables.priorityClass();
      default -> TableSpec.PLAIN;
    };
  }
}
