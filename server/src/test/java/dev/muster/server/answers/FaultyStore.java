package dev.muster.server.answers;

import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store that breaks when it is told to, with what is no exception, and that may be full. Safe for
 * any thread.
 */
final class FaultyStore implements Store {
  private final MemoryStore store = new MemoryStore();
  private final AtomicReference<@Nullable Error> nextCommit = new AtomicReference<>();
  private final AtomicReference<@Nullable Error> nextReadIndex = new AtomicReference<>();
  private volatile boolean full;

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
  public String trouble() {
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
    return store.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    breakOnce(nextReadIndex);
    return store.readIndex();
  }

  @Override
  public Image image() {
    return store.image();
  }

  @Override
  public Feed follow(long afterRevision) {
    return store.follow(afterRevision);
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public long compactedRevision() {
    return store.compactedRevision();
  }

  @Override
  public void close() {
    store.close();
  }
}
