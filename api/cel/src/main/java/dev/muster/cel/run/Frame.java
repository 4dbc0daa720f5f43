package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import org.jspecify.annotations.Nullable;

/** One evaluation: the variables, the names that loops have given to values, and the costs. */
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
