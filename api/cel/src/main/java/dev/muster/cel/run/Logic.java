package dev.muster.cel.run;

import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.EvaluationException;

/** And, or, and the choice between two; the first two answer though one side fails, if they can. */
final class Logic {
  private Logic() {}

  /**
   * @param decides the answer of one side that is the answer of the whole
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

    /** The left side failed, which counts only if the right one does not decide. */
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
