package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Rules.field;

import dev.muster.registry.rules.Conditions;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.ValueChecks;
import dev.muster.registry.rules.pods.scheduling.Scheduling;
import dev.muster.registry.types.Strategy;
import java.util.List;

/** PodDisruptionBudget: how many pods may be away at the same time. */
public final class BudgetRules {
  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .status()
          .generation()
          .create(field("spec", BudgetRules::spec))
          .update(field("spec", BudgetRules::spec))
          .statusUpdate(
              field("status.conditions", Conditions::check), field("status", BudgetRules::status))
          .refusesUnconditionalUpdate()
          .build();

  private BudgetRules() {}

  private static void spec(FieldCursor spec) {
    var least = spec.at("minAvailable");
    var most = spec.at("maxUnavailable");
    if (least.isPresent() && most.isPresent()) {
      spec.invalid("minAvailable and maxUnavailable cannot be both set");
    }
    for (var share : List.of(least, most)) {
      Templates.share(share);
      Templates.notMoreThanAll(share);
    }
    Scheduling.selector(spec.at("selector"));
    ValueChecks.optionalChoice(
        spec.at("unhealthyPodEvictionPolicy"), "AlwaysAllow", "IfHealthyBudget");
  }

  private static void status(FieldCursor status) {
    ValueChecks.nonNegative(
        status, "disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");
  }
}
