package dev.muster.cel.run.cost;

import dev.muster.cel.value.EvaluationException;

/**
 * What evaluations may cost: each one by itself, and all that share this budget together. Not for
 * several threads.
 */
public final class CostBudget {
  /** The limit of one evaluation. */
  public static final long PER_CALL = 1_000_000;

  /** The evaluation cost more than one may. */
  public static final class ExceededException extends EvaluationException {
    private static final long serialVersionUID = 1;

    public ExceededException() {
      super("operation cancelled: actual cost limit exceeded");
    }
  }

  private final long perCall;
  private long spent;

  private CostBudget(long perCall) {
    this.perCall = perCall;
  }

  public static CostBudget perCall(long limit) {
    return new CostBudget(limit);
  }

  public static CostBudget standard() {
    return new CostBudget(PER_CALL);
  }

  public void charge(long cost) {
    spent += cost;
    if (spent > perCall || spent < 0) {
      throw new ExceededException();
    }
  }

  /** What was spent since the last time that somebody asked; the next evaluation begins at 0. */
  public long take() {
    long taken = spent;
    spent = 0;
    return taken;
  }
}
