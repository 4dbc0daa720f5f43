package dev.muster.cel.run.function;

/** What a function does with its arguments, the one before the dot first. */
@FunctionalInterface
public interface Function {
  /**
   * The result.
   *
   * @throws dev.muster.cel.value.EvaluationException when there is none
   */
  Object of(Object[] arguments);
}
