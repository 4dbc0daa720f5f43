package dev.muster.server.answers;

import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import java.util.concurrent.CompletableFuture;

/**
 * A store in which writes of objects named {@code held-…} take until they are let go. Safe for any
 * thread.
 */
final class HeldStore implements Store {
  private final MemoryStore store = new MemoryStore();
  private volatile CompletableFuture<String> gate = new CompletableFuture<>();

  /** Those that are held go on; later ones are held again. */
  void letGo() {
    var open = gate;
    gate = new CompletableFuture<>();
    open.complete("open");
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    boolean held =
        transaction.operations().stream().anyMatch(write -> write.key().contains("/held-"));
    return held
        ? gate.thenCompose(ignored -> store.commit(transaction))
        : store.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
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
