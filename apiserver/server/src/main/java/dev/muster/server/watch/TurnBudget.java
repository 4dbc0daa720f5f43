package dev.muster.server.watch;

/**
 * Owned by one event loop: how much work its watches may still do before connections are served
 * again. Counted, not timed, so that the same things happen in the same order in every run.
 */
final class TurnBudget {
  /** Looking at an event, or comparing it with a selector. */
  static final int LOOK = 1;

  /** Handing a frame to a connection. */
  static final int FRAME = 4;

  /** About a millisecond. */
  private static final int TURN = 2_048;

  /** What one collection or one watch may do until it is the next one's turn. */
  private static final int SLICE = 256;

  private final int wholeTurn;
  private final int wholeSlice;
  private int turn;
  private int slice;

  TurnBudget(int wholeTurn, int wholeSlice) {
    this.wholeTurn = wholeTurn;
    this.wholeSlice = wholeSlice;
  }

  static TurnBudget standard() {
    return new TurnBudget(TURN, SLICE);
  }

  void beginTurn() {
    turn = wholeTurn;
  }

  void beginSlice() {
    slice = wholeSlice;
  }

  void spend(int work) {
    turn -= work;
    slice -= work;
  }

  boolean isTurnOver() {
    return turn <= 0;
  }

  boolean isSliceOver() {
    return slice <= 0;
  }
}
