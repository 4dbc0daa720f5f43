package dev.muster.fleet;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** One server's way to the store that all share: it can be cut, and others can be faster. */
public final class Link implements Store {
  private final Store store;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicReference<Runnable> interruption = new AtomicReference<>(() -> {});
  private volatile boolean cut;

  public Link(Store store) {
    this.store = store;
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
    return broken() ? CompletableFuture.failedFuture(away()) : store.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return cut ? CompletableFuture.failedFuture(away()) : store.readIndex();
  }

  @Override
  public Image image() {
    if (cut) {
      throw away();
    }
    return store.image();
  }

  @Override
  public Feed follow(long afterRevision) {
    var feed = store.follow(afterRevision);
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

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public long compactedRevision() {
    return store.compactedRevision();
  }

  /** The store is everybody's. */
  @Override
  public void close() {}
}
