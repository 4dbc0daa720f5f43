package dev.muster.registry.commit;

import dev.muster.store.Transaction;

/** Safe for any thread: hears how long the store took for each transaction. Must be short. */
@FunctionalInterface
public interface CommitTimes {
  CommitTimes NONE = (_, _) -> {};

  /** The store has answered, whatever it said. */
  void took(Transaction transaction, long nanos);
}
