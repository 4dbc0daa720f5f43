package dev.muster.testing;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * One server's connection to a shared store, with delayed commits, as from a store on another
 * machine. Thread-safe. Closing it leaves the shared store open.
 */
public final class LaggingStore extends ForwardingStore {
  private final Supplier<Duration> lag;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicReference<Runnable> interruption = new AtomicReference<>(() -> {});

  // Guarded by this.
  private boolean held;
  private int following;
  private int waiting;

  /** Commits arrive without delay until {@link #holdBack}. */
  public LaggingStore(Store store) {
    this(store, () -> Duration.ZERO);
  }

  /**
   * @param lag supplies the delay of each batch of commits
   */
  public LaggingStore(Store store, Supplier<Duration> lag) {
    super(store);
    this.lag = lag;
  }

  /**
   * Stops the delivery of all commits to this server, its own included. Returns when every follower
   * of the store is waiting, so that none of them sends further requests to the store.
   */
  public synchronized void holdBack() {
    held = true;
    try {
      while (held && waiting < following) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public synchronized void letGo() {
    held = false;
    notifyAll();
  }

  private synchronized void pass() throws InterruptedException {
    waiting++;
    notifyAll();
    try {
      while (held) {
        wait();
      }
    } finally {
      waiting--;
    }
  }

  private synchronized void count(int feeds) {
    following += feeds;
    notifyAll();
  }

  /** The number of read index requests of this server. */
  public long asked() {
    return asked.get();
  }

  /** Runs an action just before the next commit of this server reaches the store. */
  public void beforeNextCommit(Runnable action) {
    interruption.set(action);
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    interruption.getAndSet(() -> {}).run();
    return super.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    asked.incrementAndGet();
    return super.readIndex();
  }

  /** Blocks while commits are held back. */
  @Override
  public Image image() {
    try {
      pass();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    }
    return super.image();
  }

  @Override
  public Feed follow(long afterRevision) {
    var feed = super.follow(afterRevision);
    count(1);
    return new Feed() {
      @Override
      public List<Commit> take(Duration patience) throws InterruptedException {
        pass();
        var commits = feed.take(patience);
        if (!commits.isEmpty()) {
          Thread.sleep(lag.get());
        }
        pass();
        return commits;
      }

      @Override
      public boolean connected() {
        return feed.connected();
      }

      @Override
      public void close() {
        count(-1);
        feed.close();
      }
    };
  }

  @Override
  public void close() {}
}
