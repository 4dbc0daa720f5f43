package dev.muster.server.answers;

import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A store that remembers which keys were written. Safe for any thread. */
final class WatchedStore extends ForwardingStore {
  private final Queue<String> written = new ConcurrentLinkedQueue<>();

  WatchedStore() {
    super(new MemoryStore());
  }

  /** The keys that were written since the last question. */
  List<String> written() {
    var keys = List.copyOf(written);
    keys.forEach(written::remove);
    return keys;
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    return super.commit(transaction)
        .thenApply(
            result -> {
              if (result instanceof CommitResult.Committed) {
                for (var operation : transaction.operations()) {
                  switch (operation) {
                    case Operation.Put put -> written.add(put.key());
                    case Operation.Delete delete -> written.add(delete.key());
                    case Operation.Check ignored -> {}
                  }
                }
              }
              return result;
            });
  }
}
