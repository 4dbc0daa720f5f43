package dev.muster.server.answers;

import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store that breaks when it is told to, with what is no exception, and that may be full. Safe for
 * any thread.
 */
final class FaultyStore extends ForwardingStore {
  private final AtomicReference<@Nullable Error> nextCommit = new AtomicReference<>();
  private final AtomicReference<@Nullable Error> nextReadIndex = new AtomicReference<>();
  private volatile boolean full;

  FaultyStore() {
    super(new MemoryStore());
  }

  void breakNextCommit(Error error) {
    nextCommit.set(error);
  }

  void breakNextReadIndex(Error error) {
    nextReadIndex.set(error);
  }

  /** From now on it takes only what makes room, or everything again. */
  void full(boolean now) {
    full = now;
  }

  @Override
  public String degradedReason() {
    return full ? "the disk is full" : "";
  }

  private static void breakOnce(AtomicReference<@Nullable Error> next) {
    var error = next.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    breakOnce(nextCommit);
    if (full && !transaction.makesRoom()) {
      return CompletableFuture.failedFuture(new StoreException.Full("full", null));
    }
    return super.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    breakOnce(nextReadIndex);
    return super.readIndex();
  }
}
