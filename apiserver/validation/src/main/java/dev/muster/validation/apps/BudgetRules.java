package dev.muster.validation.apps;

import static dev.muster.validation.Rules.field;

import dev.muster.types.Strategy;
import dev.muster.validation.Conditions;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.scheduling.Scheduling;
import java.util.List;

/** The strategy of PodDisruptionBudgets. */
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
