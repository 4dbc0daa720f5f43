package dev.muster.store.etcd;

import static dev.muster.testing.StoreFixture.takeUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import dev.muster.testing.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Restarts, a lost leader, frozen members and compaction behind our back, on real etcd. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@Timeout(120)
class EtcdFaultsTest {
  @TempDir Path folder;

  @Test
  void outlivesARestartOfEtcd() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var store = open(etcd.endpoints());
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(50);
      etcd.member(0).stop();
      await().until(() -> !load.feedIsConnected());
      etcd.member(0).start();
      etcd.awaitReady();
      load.awaitCommits(50);
      load.stopAndCheck();
    }
  }

  @Test
  void outlivesTheLossOfTheLeaderAndFrozenMembers() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 3);
        var store = open(etcd.endpoints());
        var load = new TruthfulLoad(store)) {
      load.awaitCommits(50);
      var leader = etcd.leader().orElseThrow();
      leader.kill();
      load.awaitCommits(50);
      leader.start();
      etcd.awaitReady();

      var frozen = etcd.leader().orElseThrow();
      frozen.pause();
      load.awaitCommits(50);
      frozen.resume();
      etcd.awaitReady();

      etcd.member(0).pause();
      etcd.member(1).pause();
      load.awaitFailure();
      etcd.member(0).resume();
      etcd.member(1).resume();
      etcd.awaitReady();
      load.awaitCommits(50);
      load.stopAndCheck();
    }
  }

  /** Nothing is left then that shows whether it is the same history. */
  @Test
  void isOpenedAnewWhenHistoryWasCompactedWhileItWasCutOff() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var proxy = new TcpProxy(etcd.member(0).endpoint());
        var direct = open(etcd.endpoints());
        var store = open(proxy.endpoint())) {
      put(direct, "/a", "1");
      var feed = store.follow(latest(direct));
      await().until(feed::connected);
      proxy.refuse(true);
      proxy.cut();
      put(direct, "/a", "2");
      put(direct, "/a", "3");
      var compacted = latest(direct);
      direct.compact(compacted);
      var last = put(direct, "/a", "4");
      await().until(() -> !feed.connected());
      proxy.refuse(false);

      assertThatThrownBy(() -> takeUntil(feed, last))
          .isInstanceOf(StoreException.Replaced.class)
          .hasMessageContaining("compacted up to revision " + compacted);
      try (var again = open(proxy.endpoint());
          var image = again.image();
          var next = again.follow(image.revision())) {
        assertThat(image).hasSize(1);
        var revision = put(direct, "/b", "1");
        assertThat(StoreFixture.changes(takeUntil(next, revision))).containsExactly("/b=1");
      }
    }
  }

  @Test
  void readsAnImageAgainWhenItsRevisionIsCompactedMeanwhile() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var store = open(etcd.endpoints());
        var threads = Executors.newCachedThreadPool()) {
      for (var i = 0; i < 5_000; i += 100) {
        var operations = new ArrayList<Operation>();
        for (var n = i; n < i + 100; n++) {
          operations.add(new Operation.Put("/key%05d".formatted(n), new byte[1000], 0));
        }
        StoreFixture.await(store.commit(new Transaction(operations)));
      }
      var compacting =
          threads.submit(
              () -> {
                for (var i = 0; i < 30; i++) {
                  store.compact(put(store, "/moving", "" + i));
                }
                return null;
              });
      while (!compacting.isDone()) {
        try (var image = store.image()) {
          assertThat(image).hasSizeBetween(5_000, 5_001);
        }
      }
      compacting.get();
    }
  }

  private static EtcdStore open(String... endpoints) {
    return EtcdStore.open(
        EtcdOptions.at(endpoints)
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(10))
            .withCompactionInterval(Duration.ZERO));
  }

  private static long put(EtcdStore store, String key, String value) {
    var put = new Operation.Put(key, StoreFixture.bytes(value), Operation.ANY);
    var result = StoreFixture.await(store.commit(Transaction.of(put)));
    return ((CommitResult.Committed) result).revision();
  }

  private static long latest(EtcdStore store) {
    return StoreFixture.await(store.readIndex());
  }
}
