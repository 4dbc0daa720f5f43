package dev.muster.server.watch;

/**
 * Limits the work that the watches of an event loop do before it serves its connections again. Only
 * that event loop uses it. It counts work instead of time, so that every run does the same things
 * in the same order.
 */
final class TurnBudget {
  /** The cost of reading an event, or of matching it with a selector. */
  static final int LOOK = 1;

  /** The cost of handing a frame to a connection. */
  static final int FRAME = 4;

  /** The work of one turn, about a millisecond. */
  private static final int TURN = 2_048;

  /** The work of one collection or one watch before the next one runs. */
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
