package dev.muster.registry.commit;

import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * The result of one attempt at a write.
 *
 * @param <T> the type of the answer
 */
public sealed interface AttemptResult<T> {

  /**
   * A transaction to commit; the request is answered once it is committed.
   *
   * @param answer makes the answer from the revision of the commit
   */
  record Write<T>(Transaction transaction, LongFunction<T> answer) implements AttemptResult<T> {
    public Write(List<Operation> operations, LongFunction<T> answer) {
      this(new Transaction(operations), answer);
    }
  }

  /**
   * An answer without a commit, such as that of a dry run. Like a refusal, it is valid only if its
   * snapshot is new enough.
   *
   * @param stillHolds whether the answer would be the same on a newer snapshot
   */
  record Answer<T>(T answer, Predicate<Snapshot> stillHolds) implements AttemptResult<T> {
    public Answer(T answer) {
      this(answer, newer -> false);
    }
  }

  /**
   * The write is refused, provided that the snapshot is new enough.
   *
   * @param why an {@link dev.muster.model.status.ApiException}, or an exception that stands for one
   */
  record Refusal<T>(RuntimeException why) implements AttemptResult<T> {}

  /** An answer that is valid on any snapshot. */
  record Settled<T>(T answer) implements AttemptResult<T> {}
}
