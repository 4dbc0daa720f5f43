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
 * One server's connection to a shared store, with one consistency guarantee removed. Tests must
 * detect it; otherwise they prove nothing. Thread-safe. Closing it leaves the shared store open.
 */
public final class CarelessStore extends ForwardingStore {
  private static final String DECIDING = "/deciding-objects";

  /** The removed guarantee. */
  public enum Carelessness {
    /** Writes are committed even if the objects they depend on have changed. */
    GUARDS_ARE_DROPPED,
    /** A change of an object that decisions depend on is not announced. */
    CHANGES_ARE_NOT_TOLD,
    /** The read index is the last revision that this server has seen. */
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
