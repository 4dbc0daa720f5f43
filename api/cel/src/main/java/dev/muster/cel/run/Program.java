package dev.muster.cel.run;

import dev.muster.cel.Checked;
import dev.muster.cel.run.cost.CostBudget;

/** An executable expression. Immutable and thread-safe. */
public final class Program {
  private final Step root;
  private final int locals;

  private Program(Step root, int locals) {
    this.root = root;
    this.locals = locals;
  }

  /**
   * Plans a valid expression.
   *
   * @throws dev.muster.cel.value.EvaluationException when a constant in it is invalid, such as a
   *     malformed duration
   */
  public static Program of(Checked.Sound expression) {
    var planner = new Planner(expression.tree());
    var root = planner.plan();
    return new Program(root, planner.locals());
  }

  /**
   * The value of the expression.
   *
   * @throws dev.muster.cel.value.EvaluationException when the evaluation fails or exceeds the
   *     budget
   */
  public Object evaluate(Variables variables, CostBudget budget) {
    return root.evaluate(new Frame(variables, budget, locals));
  }
}
