package dev.muster.cel.run;

import dev.muster.cel.Checked;
import dev.muster.cel.run.cost.CostBudget;

/** An expression that can be evaluated. Immutable, for any thread. */
public final class Program {
  private final Step root;
  private final int locals;

  private Program(Step root, int locals) {
    this.root = root;
    this.locals = locals;
  }

  /**
   * Plans the evaluation of a sound expression.
   *
   * @throws dev.muster.cel.value.EvaluationException when a constant in it has no value, such as a
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
   * @throws dev.muster.cel.value.EvaluationException when it has none, or costs too much
   */
  public Object evaluate(Variables variables, CostBudget budget) {
    return root.evaluate(new Frame(variables, budget, locals));
  }
}
