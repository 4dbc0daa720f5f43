package dev.muster.store;

import java.util.List;

/** How a commit ended. */
public sealed interface CommitResult {

  /** Durable at that revision. A transaction that changed nothing answers the current revision. */
  record Committed(long revision) implements CommitResult {}

  /** A guard failed and nothing was changed: what stood at the guarded keys instead. */
  record Conflict(long revision, List<Found> found) implements CommitResult {
    public Conflict {
      found = List.copyOf(found);
    }
  }

  /** The state of a key whose guard failed; mod revision 0 and an empty value when it is absent. */
  record Found(String key, long modRevision, byte[] value) {}

  /** The outcome could not be found out: the commit may or may not have taken effect. */
  record Unknown(StoreException cause) implements CommitResult {}
}
