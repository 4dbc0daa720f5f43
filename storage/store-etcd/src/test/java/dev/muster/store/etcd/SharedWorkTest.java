package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers and servers share: round trips, leases, compaction. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class SharedWorkTest {
  @TempDir static Path folder;
  private static EtcdCluster etcd;

  @BeforeAll
  static void start() {
    etcd = EtcdCluster.start(folder, 1);
  }

  @AfterAll
  static void stop() {
    etcd.close();
  }

  @Test
  void concurrentReadIndexesShareARoundTrip() {
    try (var store = EtcdStore.open(options())) {
      StoreFixture.await(store.readIndex());
      var before = etcd.member(0).calls("Range");
      var answers = new ArrayList<CompletableFuture<Long>>();
      for (var i = 0; i < 2_000; i++) {
        answers.add(store.readIndex());
      }
      answers.forEach(StoreFixture::await);
      assertThat(etcd.member(0).calls("Range") - before).isBetween(1L, 200L);
    }
  }

  @Test
  void putsOfTheSameTimeToLiveShareALease() {
    try (var store = EtcdStore.open(options())) {
      putFor(store, "/events/first", Duration.ofHours(1));
      var before = etcd.member(0).calls("LeaseGrant");
      for (var i = 0; i < 100; i++) {
        putFor(store, "/events/" + i, Duration.ofHours(1));
      }
      assertThat(etcd.member(0).calls("LeaseGrant")).isEqualTo(before);
    }
  }

  @Test
  void oneServerPerRoundCompactsTheHistoryOfTheRoundBefore() {
    var a = new EtcdClient(options(), 0);
    var b = new EtcdClient(options(), 0);
    try (var store = EtcdStore.open(options())) {
      var first = new Compactor(a, () -> true);
      var second = new Compactor(b, () -> true);
      assertThat(first.runOnce()).isTrue();
      assertThat(second.runOnce()).isFalse();
      var revision = StoreFixture.await(store.readIndex());
      putFor(store, "/a", Duration.ofHours(1));
      assertThat(second.runOnce()).isTrue();
      assertThat(store.compactedRevision()).isEqualTo(revision);
      assertThat(first.runOnce()).isFalse();
      assertThat(first.runOnce()).isTrue();
      assertThat(store.compactedRevision()).isGreaterThan(revision);
    } finally {
      a.close();
      b.close();
    }
  }

  @Test
  void tellsHowEtcdIsDoing() {
    try (var store = EtcdStore.open(options())) {
      var status = StoreFixture.await(store.status());
      assertThat(status.version()).startsWith("3.");
      assertThat(status.databaseBytes()).isPositive();
      assertThat(status.hasLeader()).isTrue();
    }
  }

  private static EtcdOptions options() {
    return EtcdOptions.at(etcd.endpoints()).withCompactionInterval(Duration.ZERO);
  }

  private static void putFor(EtcdStore store, String key, Duration timeToLive) {
    var put = new Operation.Put(key, new byte[1], Operation.ANY, timeToLive);
    assertThat(StoreFixture.await(store.commit(Transaction.of(put))))
        .isInstanceOf(CommitResult.Committed.class);
  }
}
