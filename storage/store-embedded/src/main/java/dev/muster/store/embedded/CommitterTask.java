package dev.muster.store.embedded;

import dev.muster.store.CommitResult;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A task for the committer. */
sealed interface CommitterTask {
  void fail(StoreException failure);

  /**
   * A transaction. The requesting thread has already encoded its keys.
   *
   * @param since the time of the request, by {@link System#nanoTime}
   */
  record PendingCommit(
      Transaction transaction, byte[][] keys, long since, CompletableFuture<CommitResult> outcome)
      implements CommitterTask {
    static PendingCommit of(Transaction transaction) {
      var operations = transaction.operations();
      var keys = new byte[operations.size()][];
      for (var i = 0; i < keys.length; i++) {
        keys[i] = operations.get(i).key().getBytes(StandardCharsets.UTF_8);
      }
      return new PendingCommit(transaction, keys, System.nanoTime(), new CompletableFuture<>());
    }

    @Override
    public void fail(StoreException failure) {
      outcome.completeExceptionally(failure);
    }
  }

  /** A request to compact the log up to a revision. */
  record PendingCompaction(long revision, CompletableFuture<Void> outcome)
      implements CommitterTask {
    @Override
    public void fail(StoreException failure) {
      outcome.completeExceptionally(failure);
    }
  }
}
