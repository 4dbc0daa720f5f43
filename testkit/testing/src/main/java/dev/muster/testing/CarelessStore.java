package dev.muster.testing;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Safe for any thread. One server's way to a store on which something is left out that keeps its
 * decisions up to date: what a test must notice, or it would not notice anything. Closing it leaves
 * the store open.
 */
public final class CarelessStore extends ForwardingStore {
  private static final String DECIDING = "/deciding-objects";

  /** What is left out. */
  public enum Carelessness {
    /** Writes are committed whatever has changed since they were decided. */
    GUARDS_ARE_DROPPED,
    /** Who changes a deciding object tells nobody. */
    CHANGES_ARE_NOT_TOLD,
    /** What this server has heard of counts as the latest there is. */
    READ_INDEX_IS_OLD
  }

  private final Set<Carelessness> careless;
  private final AtomicLong heard = new AtomicLong();

  public CarelessStore(Store store, Set<Carelessness> careless) {
    super(store);
    this.careless = Set.copyOf(careless);
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    var operations = new ArrayList<Operation>();
    for (var operation : transaction.operations()) {
      if (!operation.key().startsWith(DECIDING)) {
        operations.add(operation);
        continue;
      }
      boolean dropped = careless.contains(Carelessness.GUARDS_ARE_DROPPED);
      switch (operation) {
        case Operation.Check check when dropped -> {}
        case Operation.Put put when careless.contains(Carelessness.CHANGES_ARE_NOT_TOLD) ->
            operations.add(
                new Operation.Check(put.key(), dropped ? Operation.ANY : put.expected()));
        case Operation.Put put when dropped ->
            operations.add(new Operation.Put(put.key(), put.value(), Operation.ANY));
        case Operation.Put _, Operation.Check _, Operation.Delete _ -> operations.add(operation);
      }
    }
    return super.commit(new Transaction(operations, transaction.makesRoom()));
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return careless.contains(Carelessness.READ_INDEX_IS_OLD)
        ? CompletableFuture.completedFuture(heard.get())
        : super.readIndex();
  }

  @Override
  public Image image() {
    var image = super.image();
    heard.accumulateAndGet(image.revision(), Math::max);
    return image;
  }

  @Override
  public Feed follow(long afterRevision) {
    var feed = super.follow(afterRevision);
    return new Feed() {
      @Override
      public List<Commit> take(Duration patience) throws InterruptedException {
        var commits = feed.take(patience);
        if (!commits.isEmpty()) {
          heard.accumulateAndGet(commits.getLast().revision(), Math::max);
        }
        return commits;
      }

      @Override
      public boolean connected() {
        return feed.connected();
      }

      @Override
      public void close() {
        feed.close();
      }
    };
  }

  @Override
  public void close() {}
}
