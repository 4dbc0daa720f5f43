package dev.muster.replica;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store whose connection can be cut and whose feed can lie. */
final class FaultyStore extends ForwardingStore {
  private volatile Store store;
  private volatile boolean cut;
  private volatile boolean deaf;
  private volatile StoreException.@Nullable Replaced replaced;
  private volatile StoreException.@Nullable Replaced replacedImages;
  private volatile UnaryOperator<Commit> lie = UnaryOperator.identity();

  FaultyStore(Store store) {
    super(store);
    this.store = store;
  }

  @Override
  protected Store store() {
    return store;
  }

  /** Nothing gets through any more. */
  void cut() {
    cut = true;
  }

  void mend() {
    cut = false;
    deaf = false;
  }

  /** The feed claims to be connected and brings nothing. */
  void deafen() {
    deaf = true;
  }

  /** Changes what the feed brings. */
  void lie(UnaryOperator<Commit> change) {
    lie = change;
  }

  /** Whatever is asked for says that the history is another one; null ends that. */
  void restore(StoreException.@Nullable Replaced reason) {
    replaced = reason;
    replacedImages = reason;
  }

  /** Only images say so. */
  void restoreImages(StoreException.@Nullable Replaced reason) {
    replacedImages = reason;
  }

  /** Another store takes the place of this one. */
  void replace(Store other) {
    store = other;
  }

  private void check() {
    check(replaced);
    if (cut) {
      throw new StoreException.Unavailable("cut", null);
    }
  }

  private static void check(StoreException.@Nullable Replaced reason) {
    if (reason != null) {
      throw reason;
    }
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    return cut
        ? CompletableFuture.failedFuture(new StoreException.Unavailable("cut", null))
        : store.commit(transaction);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    var reason = replaced;
    if (reason != null) {
      return CompletableFuture.failedFuture(reason);
    }
    return cut
        ? CompletableFuture.failedFuture(new StoreException.Unavailable("cut", null))
        : store.readIndex();
  }

  @Override
  public Image image() {
    check();
    check(replacedImages);
    return store.image();
  }

  @Override
  public Feed follow(long afterRevision) {
    check();
    return new FaultyFeed(afterRevision);
  }

  /** Resumes by itself, as every engine's feed does. */
  private final class FaultyFeed implements Feed {
    private long position;

    FaultyFeed(long position) {
      this.position = position;
    }

    @Override
    public List<Commit> take(Duration patience) throws InterruptedException {
      check(replaced);
      if (cut || deaf) {
        LockSupport.parkNanos(patience.toNanos());
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        return List.of();
      }
      try (var feed = store.follow(position)) {
        var commits = new ArrayList<Commit>();
        var taken = feed.take(patience);
        if (cut || deaf) {
          return List.of();
        }
        for (var commit : taken) {
          position = commit.revision();
          commits.add(lie.apply(commit));
        }
        return commits;
      }
    }

    @Override
    public boolean connected() {
      return !cut;
    }

    @Override
    public void close() {}
  }

  @Override
  public void compact(long revision) {
    check();
    store.compact(revision);
  }
}
