package dev.muster.registry.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.schema.Schemas;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.conversion.AutoscalerV1;
import dev.muster.types.table.AutoscalerTable;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.apps.AutoscalerRules;
import java.util.List;
import java.util.stream.Stream;

/** The types of {@code autoscaling}. */
final class AutoscalingTypes implements TypeRules {
  private static final GroupVersionKind STORED =
      new GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler");

  private AutoscalingTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new AutoscalingTypes();
    var v2 = new TypeTable("autoscaling/v2", 17500, 30, rules);
    v2.namespaced("horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa")
        .categories("all")
        .status();
    var v1 = new TypeTable("autoscaling/v1", 17500, 15, rules);
    v1.namespaced("horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa")
        .categories("all")
        .storedAs(
            STORED,
            Schemas.struct("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"),
            new AutoscalerV1())
        .status();
    return Stream.of(v2, v1).flatMap(table -> table.builders().stream()).toList();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "horizontalpodautoscalers" -> AutoscalerRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "horizontalpodautoscalers" -> AutoscalerTable.SPEC;
      default -> TableSpec.PLAIN;
    };
  }
}
