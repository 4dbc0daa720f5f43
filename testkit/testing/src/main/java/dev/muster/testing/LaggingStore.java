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
 * Safe for any thread. One server's way to a store that it shares with others: what is committed
 * reaches this server late, as it does from a store on another machine. Closing it leaves the store
 * open.
 */
public final class LaggingStore extends ForwardingStore {
  private final Supplier<Duration> lag;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicReference<Runnable> interruption = new AtomicReference<>(() -> {});

  // Guarded by this.
  private boolean held;
  private int following;
  private int waiting;

  /** A store whose commits arrive without delay until they are held back. */
  public LaggingStore(Store store) {
    this(store, () -> Duration.ZERO);
  }

  /**
   * @param lag asked for each batch of commits that arrives
   */
  public LaggingStore(Store store, Supplier<Duration> lag) {
    super(store);
    this.lag = lag;
  }

  /**
   * From now on this server hears of no commit, neither others' nor its own. Returns when whoever
   * follows the store is waiting, so that nothing else of the server asks the store by itself.
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

  /** How often this server has asked for the latest revision. */
  public long asked() {
    return asked.get();
  }

  /** Does something right before the next commit of this server arrives at the store. */
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

  /** Who loads everything waits while it is held back. */
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
