package dev.muster.cel.run;

/** A part of an expression, ready to be evaluated. Immutable, for any thread. */
interface Step {
  /**
   * The value of this part, its cost charged to the frame's budget.
   *
   * @throws dev.muster.cel.value.EvaluationException when there is none
   */
  Object evaluate(Frame frame);
}
