package dev.muster.cel.run;

import dev.muster.cel.value.EvaluationException;
import org.jspecify.annotations.Nullable;

/** And, or, and the choice between two; the first two answer though one side fails, if they can. */
final class Logic {
  private Logic() {}

  /**
   * @param decides the answer of one side that is the answer of the whole
   */
  record Either(Step left, Step right, boolean decides) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      EvaluationException failed = null;
      for (var side = left; ; side = right) {
        var problem = problem(side, frame);
        if (problem == null) {
          return decides;
        }
        if (problem != NONE && failed == null) {
          failed = problem;
        }
        if (side == right) {
          break;
        }
      }
      if (failed != null) {
        throw failed;
      }
      return !decides;
    }

    /** Null when this side decides; else what is wrong with it. */
    private @Nullable EvaluationException problem(Step side, Frame frame) {
      try {
        return side.evaluate(frame) instanceof Boolean answer
            ? answer == decides ? null : NONE
            : EvaluationException.noSuchOverload();
      } catch (CostBudget.ExceededException e) {
        throw e;
      } catch (EvaluationException e) {
        return e;
      }
    }
  }

  private static final EvaluationException NONE = new EvaluationException("");

  record Choice(Step condition, Step yes, Step no) implements Step {
    @Override
    public Object evaluate(Frame frame) {
      if (condition.evaluate(frame) instanceof Boolean chosen) {
        return (chosen ? yes : no).evaluate(frame);
      }
      throw EvaluationException.noSuchOverload();
    }
  }
}
