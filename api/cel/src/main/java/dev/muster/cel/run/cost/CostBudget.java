package dev.muster.cel.run.cost;

import dev.muster.cel.value.EvaluationException;

/**
 * Limits the costs of evaluations: of each single one, and of all that share this budget. Not
 * thread-safe.
 */
public final class CostBudget {
  /** The limit of one evaluation. */
  public static final long PER_CALL = 1_000_000;

  /** A single evaluation exceeded its limit. */
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

  /** Returns the cost since the last call; the next evaluation starts at 0. */
  public long take() {
    long taken = spent;
    spent = 0;
    return taken;
  }
}
