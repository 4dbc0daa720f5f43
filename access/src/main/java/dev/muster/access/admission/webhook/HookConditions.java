package dev.muster.access.admission.webhook;

import dev.muster.cel.Checked;
import dev.muster.cel.run.CostBudget;
import dev.muster.cel.run.Program;
import dev.muster.cel.run.Variables;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.admission.PolicyExpressions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code matchConditions} of a webhook, compiled once for each revision of its configuration.
 * Immutable, for any thread.
 */
final class HookConditions {
  /** What all conditions of one request may cost together. */
  private static final long BUDGET = 2_500_000;

  private static final String EXHAUSTED =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  /** Whether the conditions hold. */
  sealed interface Result {}

  /** All conditions hold. */
  record Matches() implements Result {}

  /** One of them does not, whatever went wrong with others. */
  record Excluded(String condition) implements Result {}

  /** Nobody knows, with the words of kube-apiserver for why. */
  record Failed(String why) implements Result {}

  /**
   * A condition.
   *
   * @param program null when the expression cannot be evaluated
   * @param problem why not, or ""
   */
  private record Condition(
      String name, String expression, @Nullable Program program, String problem) {

    static Condition of(JsonObject condition) {
      var name = condition.string("name");
      var expression = condition.string("expression").strip();
      var scope = new PolicyExpressions.Scope(false, true, false);
      return switch (new PolicyExpressions(false).check(expression, scope)) {
        case Checked.Unsound unsound ->
            new Condition(name, expression, null, "compilation error: " + unsound.problem());
        case Checked.Sound sound -> {
          try {
            yield new Condition(name, expression, Program.of(sound), "");
          } catch (EvaluationException e) {
            yield new Condition(name, expression, null, "compilation error: " + e.getMessage());
          }
        }
      };
    }
  }

  private final List<Condition> conditions;

  private HookConditions(List<Condition> conditions) {
    this.conditions = List.copyOf(conditions);
  }

  /** Compiles conditions. */
  static HookConditions of(JsonArray conditions) {
    return new HookConditions(
        conditions.objects().stream().map(Condition::of).toList());
  }

  boolean isEmpty() {
    return conditions.isEmpty();
  }

  /** Holds the conditions against a request, in their order, until one is not met. */
  Result match(Variables variables) {
    var budget = CostBudget.standard();
    long left = BUDGET;
    var problems = new ArrayList<String>();
    for (var condition : conditions) {
      if (condition.program() == null) {
        problems.add(condition.problem());
        continue;
      }
      Object holds = null;
      try {
        holds = condition.program().evaluate(variables, budget);
      } catch (EvaluationException e) {
        problems.add(
            "expression '" + condition.expression() + "' resulted in error: " + e.getMessage());
      }
      left -= budget.take();
      if (left < 0) {
        return new Failed(EXHAUSTED);
      }
      if (Boolean.FALSE.equals(holds)) {
        return new Excluded(condition.name());
      }
    }
    return switch (problems.size()) {
      case 0 -> new Matches();
      case 1 -> new Failed(problems.getFirst());
      default ->
          new Failed("[" + String.join(", ", problems.stream().distinct().toList()) + "]");
    };
  }
}
