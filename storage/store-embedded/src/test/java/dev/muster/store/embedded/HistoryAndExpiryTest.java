package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryAndExpiryTest {
  @TempDir Path folder;
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final InstantSource clock = now::get;

  @Test
  void trimsHistoryByItself() {
    try (var store = open(Duration.ofMillis(50), InstantSource.system())) {
      put(store, "/a", 1).join();
      var second = put(store, "/a", 1).join();
      assertThat(second).isEqualTo(new CommitResult.Committed(2));
      await().untilAsserted(() -> assertThat(store.compactedRevision()).isEqualTo(2));
      assertThatThrownBy(() -> store.follow(1)).isInstanceOf(StoreException.Compacted.class);
      put(store, "/a", 1).join();
      assertThat(store.readIndex().join()).isEqualTo(3);
    }
    try (var store = open(Duration.ZERO, clock)) {
      assertThat(store.compactedRevision()).isGreaterThanOrEqualTo(2);
      assertThat(store.readIndex().join()).isEqualTo(3);
    }
  }

  @Test
  void leavesTrimmingToCallersWhenTold() {
    try (var store = open(Duration.ZERO, clock)) {
      put(store, "/a", 1).join();
      now.set(Instant.EPOCH.plus(Duration.ofDays(1)));
      put(store, "/a", 1).join();
      assertThat(store.compactedRevision()).isZero();
    }
  }

  @Test
  void expiresWhatRanOutWhileItWasClosed() {
    try (var store = open(Duration.ZERO, clock)) {
      var operations = new ArrayList<Operation>();
      for (var i = 0; i < 1_200; i++) {
        operations.add(
            new Operation.Put("/short" + i, new byte[1], Operation.ABSENT, Duration.ofSeconds(10)));
      }
      store.commit(new Transaction(operations)).join();
      store
          .commit(
              Transaction.of(
                  new Operation.Put(
                      "/long", new byte[1], Operation.ABSENT, Duration.ofMinutes(10))))
          .join();
      assertThat(keys(store)).isEqualTo(1_201);
    }
    now.set(Instant.EPOCH.plusSeconds(10));
    try (var store = open(Duration.ZERO, clock)) {
      await().untilAsserted(() -> assertThat(keys(store)).isEqualTo(1));
      assertThat(store.readIndex().join()).isBetween(3L, 6L);
    }
  }

  @Test
  void expiresKeysThatWereWrittenAfterTheClockWasSetBack() {
    now.set(Instant.EPOCH.plusSeconds(1_000));
    try (var store = open(Duration.ZERO, clock)) {
      putFor(store, "/a", Duration.ofSeconds(1));
      now.set(Instant.EPOCH.plusSeconds(1_001));
      await().untilAsserted(() -> assertThat(keys(store)).isZero());
      now.set(Instant.EPOCH.plusSeconds(500));
      putFor(store, "/b", Duration.ofSeconds(1));
      now.set(Instant.EPOCH.plusSeconds(501));
      await().untilAsserted(() -> assertThat(keys(store)).isZero());
    }
  }

  private static void putFor(EmbeddedStore store, String key, Duration timeToLive) {
    store
        .commit(Transaction.of(new Operation.Put(key, new byte[1], Operation.ABSENT, timeToLive)))
        .join();
  }

  @Test
  void aFeedFarBehindReadsTheLogFromTheDisk() throws InterruptedException {
    try (var store = open(Duration.ZERO, clock)) {
      var commits = 60;
      var outcomes = new ArrayList<CompletableFuture<CommitResult>>();
      for (var i = 0; i < commits; i++) {
        outcomes.add(put(store, "/a", 1 << 20));
      }
      outcomes.forEach(CompletableFuture::join);
      try (var feed = store.follow(0)) {
        var expected = 0L;
        while (expected < commits) {
          for (var commit : feed.take(Duration.ZERO)) {
            assertThat(commit.revision()).isEqualTo(++expected);
            assertThat(commit.changes().getFirst().value()).hasSize(1 << 20);
          }
        }
        store.compact(commits);
        var behind = store.follow(commits);
        put(store, "/a", 1).join();
        assertThat(behind.take(Duration.ofSeconds(10))).hasSize(1);
      }
    }
  }

  private EmbeddedStore open(Duration history, InstantSource clock) {
    return EmbeddedStore.open(EmbeddedOptions.in(folder).withHistory(history), clock);
  }

  private static CompletableFuture<CommitResult> put(EmbeddedStore store, String key, int bytes) {
    return store.commit(Transaction.of(new Operation.Put(key, new byte[bytes], Operation.ANY)));
  }

  private static int keys(EmbeddedStore store) {
    var keys = 0;
    try (var image = store.image()) {
      for (var _ : image) {
        keys++;
      }
    }
    return keys;
  }
}
