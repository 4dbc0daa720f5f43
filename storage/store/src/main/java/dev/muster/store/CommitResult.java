package dev.muster.store;

import java.util.List;

/** The outcome of a transaction. */
public sealed interface CommitResult {

  /**
   * The transaction is durable at that revision. A transaction that changed nothing gets the
   * current revision.
   */
  record Committed(long revision) implements CommitResult {}

  /**
   * A guard failed and nothing changed; {@code found} holds the current state of the keys whose
   * guard failed.
   */
  record Conflict(long revision, List<Found> found) implements CommitResult {
    public Conflict {
      found = List.copyOf(found);
    }
  }

  /** The state of a key whose guard failed; mod revision 0 and an empty value when it is absent. */
  record Found(String key, long modRevision, byte[] value) {}

  /** An ambiguous outcome: the store cannot tell whether the transaction was committed. */
  record Unknown(StoreException cause) implements CommitResult {}
}
