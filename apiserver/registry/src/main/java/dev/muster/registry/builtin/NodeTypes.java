package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.pods.scheduling.RuntimeClassRules;
import java.util.List;

/** The types of {@code node.k8s.io}. */
final class NodeTypes implements TypeRules {
  private NodeTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new NodeTypes();
    var v1 = new TypeTable("node.k8s.io/v1", 16300, 15, rules);
    v1.cluster("runtimeclasses", "RuntimeClass");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "runtimeclasses" -> RuntimeClassRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "runtimeclasses" -> GroupTables.runtimeClass();
      default -> TableSpec.PLAIN;
    };
  }
}
