package dev.muster.access.admission.policy;

import dev.muster.cel.run.Variables;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Expressions that say whether a policy is about a request that its rules chose. */
final class MatchConditions {
  private MatchConditions() {}

  /**
   * Whether all conditions hold. One that is false decides, whatever becomes of the others.
   *
   * @throws ConfigurationException when none is false, and one cannot be evaluated
   */
  static boolean hold(Policy policy, Variables inputs) {
    var conditions = policy.expressions().conditions();
    if (conditions.isEmpty()) {
      return true;
    }
    try {
      return evaluate(conditions, inputs);
    } catch (PolicyEvaluation.ExhaustedException e) {
      throw new ConfigurationException(PolicyEvaluation.ExhaustedException.TEXT);
    }
  }

  private static boolean evaluate(List<PolicyExpression> conditions, Variables inputs) {
    var evaluation = new PolicyEvaluation(inputs, Map.of(), PolicyEvaluation.CONDITIONS_BUDGET);
    var problems = new LinkedHashSet<String>();
    boolean differs = false;
    for (var condition : conditions) {
      switch (evaluation.evaluate(condition)) {
        case PolicyEvaluation.Result.Failed failed -> problems.add(failed.problem());
        case PolicyEvaluation.Result.Value value ->
            differs = differs || Boolean.FALSE.equals(value.value());
      }
    }
    if (differs) {
      return false;
    }
    if (problems.isEmpty()) {
      return true;
    }
    throw new ConfigurationException(
        problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]");
  }
}
