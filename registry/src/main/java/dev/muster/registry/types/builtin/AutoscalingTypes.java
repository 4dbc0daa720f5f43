package dev.muster.registry.types.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.conversion.AutoscalerV1;
import dev.muster.registry.rules.workloads.AutoscalerRules;
import dev.muster.registry.table.AutoscalerTable;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.schema.Schemas;
import java.util.List;
import java.util.stream.Stream;

/** The types of {@code autoscaling}. */
final class AutoscalingTypes {
  private static final GroupVersionKind STORED =
      new GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler");

  private AutoscalingTypes() {}

  static List<ServedTypeBuilder> all() {
    var v2 = new TypeTable("autoscaling/v2", 17500, 30);
    v2.namespaced(
            "horizontalpodautoscalers", "HorizontalPodAutoscaler", AutoscalerRules.STRATEGY, "hpa")
        .categories("all")
        .status()
        .table(AutoscalerTable.SPEC);
    var v1 = new TypeTable("autoscaling/v1", 17500, 15);
    v1.namespaced(
            "horizontalpodautoscalers", "HorizontalPodAutoscaler", AutoscalerRules.STRATEGY, "hpa")
        .categories("all")
        .storedAs(
            STORED,
            Schemas.struct("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"),
            new AutoscalerV1())
        .status()
        .table(AutoscalerTable.SPEC);
    return Stream.of(v2, v1).flatMap(table -> table.builders().stream()).toList();
  }
}
