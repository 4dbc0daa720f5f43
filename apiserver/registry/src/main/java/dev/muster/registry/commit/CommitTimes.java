package dev.muster.registry.commit;

import dev.muster.store.Transaction;

/**
 * Receives how long the store took for each transaction, for metrics. Thread-safe; implementations
 * return quickly.
 */
@FunctionalInterface
public interface CommitTimes {
  CommitTimes NONE = (_, _) -> {};

  /** The store has answered, with success or failure. */
  void took(Transaction transaction, long nanos);
}
