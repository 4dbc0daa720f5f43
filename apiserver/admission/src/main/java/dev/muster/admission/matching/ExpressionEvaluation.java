package dev.muster.admission.matching;

import dev.muster.cel.run.Variables;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.gocompat.GoText;
import dev.muster.types.scheduling.CpuTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions of one policy or webhook for one request, within a common cost budget.
 * The policy's variables are evaluated on first use. Not thread-safe.
 */
public final class ExpressionEvaluation {
  /** The cost budget of all match conditions together. */
  public static final long CONDITIONS_BUDGET = 2_500_000;

  /** The cost budget of all other expressions together. */
  public static final long BUDGET = 10_000_000;

  /** Thrown when the expressions exceed the budget; none of their results apply. */
  public static final class ExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    public static final String TEXT =
        "validation failed due to running out of cost budget, no further validation rules will be"
            + " run";

    ExhaustedException() {
      super(TEXT, null, false, false);
    }
  }

  /** The result of an expression. */
  public sealed interface Result {
    record Value(Object value) implements Result {}

    record Failed(String problem) implements Result {}
  }

  private final Variables inputs;
  private final Map<String, AdmissionExpression> composed;
  private final Map<String, Result> known = new HashMap<>();
  private final CelMap variables = new LazyVariables();
  private long left;

  public ExpressionEvaluation(
      Variables inputs, Map<String, AdmissionExpression> composed, long budget) {
    this.inputs = inputs;
    this.composed = composed;
    this.left = budget;
  }

  public long left() {
    return left;
  }

  /**
   * Evaluates an expression.
   *
   * @throws ExhaustedException when the expressions so far exceed the budget
   */
  public Result evaluate(AdmissionExpression expression) {
    CpuTask.checkpoint();
    if (expression.program() == null) {
      return new Result.Failed("compilation error: " + expression.problem());
    }
    var result = run(expression);
    if (left < 0) {
      throw new ExhaustedException();
    }
    return result instanceof Result.Failed failed
        ? new Result.Failed(
            "expression '" + expression.text() + "' resulted in error: " + failed.problem())
        : result;
  }

  private Result run(AdmissionExpression expression) {
    var program = expression.program();
    if (program == null) {
      return new Result.Failed(expression.problem());
    }
    var budget = CostBudget.standard();
    try {
      return new Result.Value(program.evaluate(this::find, budget));
    } catch (EvaluationException e) {
      return new Result.Failed(String.valueOf(e.getMessage()));
    } finally {
      left -= budget.take();
    }
  }

  private @Nullable Object find(String name) {
    return name.equals("variables") ? variables : inputs.find(name);
  }

  /** The policy's variables; each is evaluated at most once. */
  private final class LazyVariables implements CelMap {
    @Override
    public int size() {
      return composed.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      var expression = key instanceof String name ? composed.get(name) : null;
      if (expression == null) {
        return null;
      }
      var name = (String) key;
      var result = known.get(name);
      if (result == null) {
        CpuTask.checkpoint();
        result = run(expression);
        known.put(name, result);
      }
      return switch (result) {
        case Result.Value value -> value.value();
        case Result.Failed failed ->
            throw new EvaluationException(
                "composited variable "
                    + GoText.quote(name)
                    + (expression.program() == null
                        ? " fails to compile: "
                        : " fails to evaluate: ")
                    + failed.problem());
      };
    }

    @Override
    public List<Object> keys() {
      return List.copyOf(composed.keySet());
    }
  }
}
