package dev.muster.fleet;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** One server's way to the store that all share: it can be cut, and others can be faster. */
public final class Link extends ForwardingStore {
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicReference<Runnable> interruption = new AtomicReference<>(() -> {});
  private volatile boolean cut;

  public Link(Store store) {
    super(store);
  }

  public void cut() {
    cut = true;
  }

  public void mend() {
    cut = false;
  }

  /** So many commits fail as if the connection were refused. */
  public void failCommits(int count) {
    failures.set(count);
  }

  /** Does something right before the next commit arrives. */
  public void beforeNextCommit(Runnable action) {
    interruption.set(action);
  }

  private boolean broken() {
    return cut || failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  private static StoreException away() {
    return new StoreException.Unavailable("cut", null);
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    interruption.getAndSet(() -> {}).run();
    return broken() ? CompletableFuture.failedFuture(away()) : super.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return cut ? CompletableFuture.failedFuture(away()) : super.readIndex();
  }

  @Override
  public Image image() {
    if (cut) {
      throw away();
    }
    return super.image();
  }

  @Override
  public Feed follow(long afterRevision) {
    var feed = super.follow(afterRevision);
    return new Feed() {
      @Override
      public List<Commit> take(Duration patience) throws InterruptedException {
        if (cut) {
          Thread.sleep(patience);
          return List.of();
        }
        return feed.take(patience);
      }

      @Override
      public boolean connected() {
        return !cut && feed.connected();
      }

      @Override
      public void close() {
        feed.close();
      }
    };
  }

  /** The store is everybody's. */
  @Override
  public void close() {}
}
