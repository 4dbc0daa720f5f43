package dev.muster.registry.commit;

import java.util.List;

/** The known outcome of a commit. An ambiguous outcome is an exception instead. */
sealed interface CommitOutcome {

  /** The transaction is durable at that revision. */
  record Committed(long revision) implements CommitOutcome {}

  /**
   * A guard did not match: another write came first, and nothing was changed.
   *
   * @param revision the store's revision at that moment; a snapshot of this revision contains the
   *     conflicting write
   * @param keys the keys whose guards did not match
   */
  record Overtaken(long revision, List<String> keys) implements CommitOutcome {}
}
