package dev.muster.server.answers;

import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.util.concurrent.CompletableFuture;

/**
 * A store in which writes of objects named {@code held-…} take until they are let go. Safe for any
 * thread.
 */
final class HeldStore extends ForwardingStore {
  private volatile CompletableFuture<String> gate = new CompletableFuture<>();

  HeldStore() {
    super(new MemoryStore());
  }

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
        ? gate.thenCompose(ignored -> super.commit(transaction))
        : super.commit(transaction);
  }
}
