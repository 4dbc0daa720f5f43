package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.flowcontrol.FlowSchemaRules;
import dev.muster.validation.flowcontrol.PriorityLevelRules;
import java.util.List;

/** The types of {@code flowcontrol.apiserver.k8s.io}. */
final class FlowControlTypes implements TypeRules {
  private FlowControlTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new FlowControlTypes();
    var v1 = new TypeTable("flowcontrol.apiserver.k8s.io/v1", 16100, 21, rules);
    v1.cluster("flowschemas", "FlowSchema").status().resets("status", "metadata", "spec");
    v1.cluster("prioritylevelconfigurations", "PriorityLevelConfiguration")
        .status()
        .resets("status", "metadata", "spec");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "flowschemas" -> FlowSchemaRules.STRATEGY;
      case "prioritylevelconfigurations" -> PriorityLevelRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "flowschemas" -> GroupTables.flowSchema();
      case "prioritylevelconfigurations" -> GroupTables.priorityLevel();
      default -> TableSpec.PLAIN;
    };
  }
}
