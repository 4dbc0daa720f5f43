package dev.muster.admission.matching;

import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.cel.run.Variables;
import dev.muster.model.json.JsonArray;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The match conditions of a policy or webhook: expressions that narrow down its rules. Immutable.
 */
public final class MatchConditions {
  private static final Result HOLD = new Result.Hold();

  /** The result of evaluating the conditions. */
  public sealed interface Result {
    /** All conditions are true. */
    record Hold() implements Result {}

    /** One of the conditions is false, even if others failed. */
    record Excluded() implements Result {}

    /** No condition is false and some failed; the failure policy decides. */
    record Failed(String problem) implements Result {}
  }

  /** Receives the results of evaluations, for metrics. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param errors the number of failed conditions
     * @param excluded whether a condition is false
     */
    void evaluated(int errors, boolean excluded, long nanos);
  }

  private final List<AdmissionExpression> conditions;

  private MatchConditions(List<AdmissionExpression> conditions) {
    this.conditions = conditions;
  }

  /**
   * Compiles conditions.
   *
   * @param params whether they may use {@code params}
   */
  public static MatchConditions of(JsonArray conditions, boolean params) {
    var expressions = new PolicyExpressions(false);
    var scope = new PolicyExpressions.Scope(params, true, false);
    return new MatchConditions(
        conditions.objects().stream()
            .map(each -> AdmissionExpression.of(each.string("expression"), expressions, scope))
            .toList());
  }

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  public Result evaluate(Variables inputs, Listener listener) {
    if (conditions.isEmpty()) {
      return HOLD;
    }
    long start = System.nanoTime();
    var evaluation =
        new ExpressionEvaluation(inputs, Map.of(), ExpressionEvaluation.CONDITIONS_BUDGET);
    var problems = new LinkedHashSet<String>();
    boolean differs = false;
    int errors = 0;
    try {
      for (var condition : conditions) {
        switch (evaluation.evaluate(condition)) {
          case ExpressionEvaluation.Result.Failed failed -> {
            problems.add(failed.problem());
            errors++;
          }
          case ExpressionEvaluation.Result.Value value ->
              differs = differs || Boolean.FALSE.equals(value.value());
        }
      }
    } catch (ExpressionEvaluation.ExhaustedException e) {
      listener.evaluated(errors + 1, false, System.nanoTime() - start);
      return new Result.Failed(ExpressionEvaluation.ExhaustedException.TEXT);
    }
    listener.evaluated(errors, differs, System.nanoTime() - start);
    if (differs) {
      return new Result.Excluded();
    }
    return switch (problems.size()) {
      case 0 -> HOLD;
      case 1 -> new Result.Failed(problems.getFirst());
      default -> new Result.Failed("[" + String.join(", ", problems) + "]");
    };
  }
}
