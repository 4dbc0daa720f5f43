package dev.muster.registry.commit;

import java.util.List;

/** How a commit ended. One whose end is not known is an answer of its own: an exception. */
sealed interface CommitOutcome {

  /** Durable at that revision. */
  record Committed(long revision) implements CommitOutcome {}

  /**
   * Somebody else was faster, and nothing was changed.
   *
   * @param revision the store's at that moment: whoever sees it sees what stood in the way
   * @param keys what was not as it had been read
   */
  record Overtaken(long revision, List<String> keys) implements CommitOutcome {}
}
