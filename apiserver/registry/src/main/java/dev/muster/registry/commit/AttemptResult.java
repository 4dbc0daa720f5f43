package dev.muster.registry.commit;

import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * What an attempt at a write comes to.
 *
 * @param <T> what the request is answered with
 */
public sealed interface AttemptResult<T> {

  /**
   * To be committed; answered when it is.
   *
   * @param answer makes the answer, given the revision of the commit
   */
  record Write<T>(Transaction transaction, LongFunction<T> answer) implements AttemptResult<T> {
    public Write(List<Operation> operations, LongFunction<T> answer) {
      this(new Transaction(operations), answer);
    }
  }

  /**
   * An answer that says how things are without changing them, such as that of a dry run: like a
   * refusal it counts only on a snapshot that is new enough.
   *
   * @param stillHolds whether it would be the same on a newer snapshot
   */
  record Answer<T>(T answer, Predicate<Snapshot> stillHolds) implements AttemptResult<T> {
    public Answer(T answer) {
      this(answer, newer -> false);
    }
  }

  /**
   * The write is refused, if it is on a snapshot that is new enough.
   *
   * @param why an {@link dev.muster.model.status.ApiException}, or what stands for one
   */
  record Refusal<T>(RuntimeException why) implements AttemptResult<T> {}

  /** An answer that is right whatever has happened elsewhere. */
  record Settled<T>(T answer) implements AttemptResult<T> {}
}
