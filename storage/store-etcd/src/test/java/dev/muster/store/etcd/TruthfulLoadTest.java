package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The check of {@link TruthfulLoad} finds stores that lie, and passes one that does not. */
class TruthfulLoadTest {
  @Test
  void passesAnHonestStore() throws InterruptedException {
    run(new Wrapped());
  }

  @Test
  void findsAnAcknowledgedCommitThatDidNotHappen() {
    assertFound(
        new Wrapped() {
          @Override
          public CompletableFuture<CommitResult> commit(Transaction transaction) {
            return lies()
                ? CompletableFuture.completedFuture(
                    new CommitResult.Committed(store().readIndex().join()))
                : super.commit(transaction);
          }
        });
  }

  @Test
  void findsARefusedCommitThatDidHappen() {
    assertFound(
        new Wrapped() {
          @Override
          public CompletableFuture<CommitResult> commit(Transaction transaction) {
            var outcome = super.commit(transaction);
            return lies()
                ? CompletableFuture.failedFuture(new StoreException.Unavailable("lost", null))
                : outcome;
          }
        });
  }

  @Test
  void findsAGapInTheFeed() {
    assertFound(
        new Wrapped() {
          @Override
          public Feed follow(long afterRevision) {
            var feed = super.follow(afterRevision);
            return new Feed() {
              @Override
              public List<Commit> take(Duration patience) throws InterruptedException {
                var commits = feed.take(patience);
                return commits.isEmpty() || !lies() ? commits : commits.subList(1, commits.size());
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
        });
  }

  private static void assertFound(Store store) {
    assertThatThrownBy(() -> run(store)).isInstanceOf(AssertionError.class);
  }

  private static void run(Store store) throws InterruptedException {
    try (store;
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(100);
      load.stopAndCheck();
    }
  }

  private static class Wrapped extends ForwardingStore {
    private final AtomicInteger calls = new AtomicInteger();

    Wrapped() {
      super(new MemoryStore());
    }

    /** True for one call of many. */
    boolean lies() {
      return calls.incrementAndGet() == 20;
    }
  }
}
