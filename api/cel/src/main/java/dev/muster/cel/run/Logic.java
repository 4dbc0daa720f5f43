package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.EvaluationException;

/**
 * The steps for and, or, and the conditional. If one side of and or or fails, the other side can
 * still decide the result.
 */
final class Logic {
  private Logic() {}

  /**
   * @param decides the value of one side that decides the result
   */
  record Either(Step left, Step right, boolean decides) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      boolean first;
      try {
        first = bool(left.evaluate(frame));
      } catch (CostBudget.ExceededException e) {
        throw e;
      } catch (EvaluationException e) {
        return decidedByRight(frame, e);
      }
      return first == decides ? decides : bool(right.evaluate(frame));
    }

    /**
     * The result after the left side failed; the failure counts only if the right side does not
     * decide.
     */
    private Object decidedByRight(Frame frame, EvaluationException failed) {
      try {
        if (bool(right.evaluate(frame)) == decides) {
          return decides;
        }
      } catch (CostBudget.ExceededException e) {
        throw e;
      } catch (EvaluationException e) {
        throw failed;
      }
      throw failed;
    }
  }

  private static boolean bool(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw EvaluationException.noSuchOverload();
  }

  record Choice(Step condition, Step yes, Step no) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      return (bool(condition.evaluate(frame)) ? yes : no).evaluate(frame);
    }
  }
}
