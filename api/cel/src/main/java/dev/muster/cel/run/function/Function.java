package dev.muster.cel.run.function;

/** The implementation of a function; the receiver is the first argument. */
@FunctionalInterface
public interface Function {
  /**
   * Calls the function.
   *
   * @throws dev.muster.cel.value.EvaluationException when it fails
   */
  Object of(Object[] arguments);
}
