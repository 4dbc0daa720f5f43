package dev.muster.testing;

import dev.muster.store.CommitResult;
import dev.muster.store.EncryptionState;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import java.util.concurrent.CompletableFuture;

/** Forwards all calls to another store; subclasses override some. */
public abstract class ForwardingStore implements Store {
  private final Store store;

  protected ForwardingStore(Store store) {
    this.store = store;
  }

  /** The store behind this one. */
  protected Store store() {
    return store;
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    return store().commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return store().readIndex();
  }

  @Override
  public Image image() {
    return store().image();
  }

  @Override
  public Feed follow(long afterRevision) {
    return store().follow(afterRevision);
  }

  @Override
  public void compact(long revision) {
    store().compact(revision);
  }

  @Override
  public long compactedRevision() {
    return store().compactedRevision();
  }

  @Override
  public String degradedReason() {
    return store().degradedReason();
  }

  @Override
  public String prefix() {
    return store().prefix();
  }

  @Override
  public boolean needsRewrite(String key, EncryptionState encryptionState) {
    return store().needsRewrite(key, encryptionState);
  }

  @Override
  public void close() {
    store().close();
  }
}
