package dev.muster.cel.run;

/** A node of an executable expression. Immutable and thread-safe. */
interface Step {
  /**
   * Evaluates the node and charges its cost to the frame's budget.
   *
   * @throws dev.muster.cel.value.EvaluationException when the evaluation fails
   */
  Object evaluate(Frame frame);
}
