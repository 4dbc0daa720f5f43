package dev.muster.it.decisions;

/** What a client did or saw; times are {@link System#nanoTime} of one process. */
sealed interface Observed {
  long began();

  long ended();

  /**
   * A request that rules decide.
   *
   * @param revision of what was written or of the snapshot that was shown; 0 when the answer did
   *     not tell
   */
  record Decided(Deed deed, Deed.Verdict verdict, int server, long began, long ended, long revision)
      implements Observed {}

  /** An acknowledged change: the rule is there from now on, or not. */
  record Changed(Rule rule, boolean there, int server, long began, long ended)
      implements Observed {}
}
