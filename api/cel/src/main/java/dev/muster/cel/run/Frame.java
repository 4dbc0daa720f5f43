package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import org.jspecify.annotations.Nullable;

/** The state of one evaluation: the variables, the loop variables, and the costs. */
final class Frame {
  final Variables variables;
  final CostBudget budget;
  final @Nullable Object[] locals;

  Frame(Variables variables, CostBudget budget, int locals) {
    this.variables = variables;
    this.budget = budget;
    this.locals = new Object[locals];
  }

  void charge(long cost) {
    budget.charge(cost);
  }
}
