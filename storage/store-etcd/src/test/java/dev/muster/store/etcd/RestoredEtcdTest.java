package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.EtcdCluster.Restoration;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import dev.muster.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store says when etcd comes back with another history than the one that it followed. */
@Tag("slow")
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class RestoredEtcdTest {
  private static final String UNTIL = "/last";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"1,true", "3,false"})
  void aLowerRevisionIsAnotherHistoryAndStaysSo(int members, boolean sameId) throws Exception {
    try (var etcd = EtcdCluster.start(folder, members);
        var store = open(etcd.endpoints());
        var feed = followed(store)) {
      var snapshot = etcd.snapshot(folder.resolve("snapshot"));
      for (int i = 0; i < 5; i++) {
        put(store, "/gone" + i, "1");
      }
      StoreFixture.takeUntil(feed, latest(store));
      etcd.stopAndRestore(snapshot, Restoration.of(sameId));
      etcd.startAll();

      assertReplaced(store, feed);
      try (var other = open(etcd.endpoints())) {
        assertThat(other.image()).extracting("key").containsExactly(UNTIL);
        for (int i = 0; i < 20; i++) {
          put(other, "/after" + i, "1");
        }
        assertReplaced(store, feed);
      }
    }
  }

  /** The restored etcd is written to before the store reaches it again. */
  @ParameterizedTest
  @CsvSource({"1,5,true", "1,40,true", "3,40,true"})
  void writesSinceTheRestorationDoNotHideIt(int members, int writes, boolean sameId)
      throws Exception {
    try (var etcd = EtcdCluster.start(folder, members);
        var proxy = new TcpProxy(etcd.member(0).endpoint());
        var store = open(proxy.endpoint());
        var feed = followed(store)) {
      var snapshot = etcd.snapshot(folder.resolve("snapshot"));
      for (int i = 0; i < 5; i++) {
        put(store, "/gone" + i, "1");
      }
      StoreFixture.takeUntil(feed, latest(store));
      proxy.refuse(true);
      etcd.stopAndRestore(snapshot, Restoration.of(sameId));
      etcd.startAll();
      climb(etcd, writes);
      proxy.refuse(false);

      assertReplaced(store, feed);
    }
  }

  @Test
  void anOlderCopyOfTheDataFolderIsAnotherHistory() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var proxy = new TcpProxy(etcd.member(0).endpoint());
        var store = open(proxy.endpoint());
        var feed = followed(store)) {
      var data = etcd.member(0).data();
      var copy = folder.resolve("copy");
      etcd.member(0).stop();
      copy(data, copy);
      etcd.startAll();
      put(store, "/gone", "1");
      StoreFixture.takeUntil(feed, latest(store));
      proxy.refuse(true);
      etcd.member(0).stop();
      EtcdCluster.delete(data);
      copy(copy, data);
      etcd.startAll();
      climb(etcd, 10);
      proxy.refuse(false);

      assertReplaced(store, feed);
    }
  }

  /** Compaction takes away whatever could be compared. */
  @Test
  void compactionSinceTheRestorationDoesNotHideIt() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var proxy = new TcpProxy(etcd.member(0).endpoint());
        var store = open(proxy.endpoint());
        var feed = followed(store)) {
      var snapshot = etcd.snapshot(folder.resolve("snapshot"));
      put(store, "/gone", "1");
      StoreFixture.takeUntil(feed, latest(store));
      proxy.refuse(true);
      etcd.stopAndRestore(snapshot, Restoration.of(true));
      etcd.startAll();
      try (var other = open(etcd.endpoints())) {
        climb(etcd, 40);
        other.compact(latest(other));
      }
      proxy.refuse(false);

      assertReplaced(store, feed);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBumpedRevisionDoesNotHideIt(boolean sameId) throws Exception {
    assumeTrue(Restoration.canBump(), "needs an etcdutl with --bump-revision (-Dmuster.etcdutl)");
    try (var etcd = EtcdCluster.start(folder, 1);
        var store = open(etcd.endpoints());
        var feed = followed(store)) {
      var snapshot = etcd.snapshot(folder.resolve("snapshot"));
      put(store, "/gone", "1");
      StoreFixture.takeUntil(feed, latest(store));
      etcd.stopAndRestore(snapshot, Restoration.bumped(sameId, 1_000_000_000));
      etcd.startAll();

      assertReplaced(store, feed);
      try (var other = open(etcd.endpoints());
          var image = other.image()) {
        assertThat(image.revision()).isGreaterThan(1_000_000_000);
        assertThat(image).extracting("key").containsExactly(UNTIL);
      }
    }
  }

  /** What is acknowledged after the restoration is in the restored etcd. */
  @ParameterizedTest
  @ValueSource(ints = {0, 60})
  void nothingIsAcknowledgedThatTheRestoredEtcdDoesNotHave(int writes) throws Exception {
    var stopped = new AtomicBoolean();
    var restoring = new AtomicBoolean();
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    try (var etcd = EtcdCluster.start(folder, 1);
        var proxy = new TcpProxy(etcd.member(0).endpoint());
        var store = open(proxy.endpoint());
        var feed = followed(store);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        AutoCloseable _ = () -> stopped.set(true)) {
      var snapshot = etcd.snapshot(folder.resolve("snapshot"));
      for (int writer = 0; writer < 4; writer++) {
        var name = "/writer" + writer + "-";
        threads.submit(() -> write(store, name, stopped, restoring, acknowledged));
      }
      StoreFixture.takeUntil(feed, latest(store) + 20);
      proxy.refuse(writes > 0);
      etcd.member(0).kill();
      restoring.set(true);
      etcd.stopAndRestore(snapshot, Restoration.of(true));
      etcd.startAll();
      climb(etcd, writes);
      proxy.refuse(false);
      assertReplaced(store, feed);
      stopped.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      try (var other = open(etcd.endpoints());
          var image = other.image()) {
        assertThat(image).extracting("key").containsAll(acknowledged);
      }
    }
  }

  /** Creates keys one after the other, and notes those acknowledged after the restoration began. */
  private static @Nullable Void write(
      EtcdStore store,
      String name,
      AtomicBoolean stopped,
      AtomicBoolean restoring,
      Set<String> acknowledged)
      throws InterruptedException {
    for (int i = 0; !stopped.get(); i++) {
      boolean after = restoring.get();
      try {
        var create = operation(name + i, "1", Operation.ABSENT);
        if (store.commit(Transaction.of(create)).join() instanceof CommitResult.Committed
            && after) {
          acknowledged.add(name + i);
        }
      } catch (CompletionException refused) {
        Thread.sleep(1);
      }
    }
    return null;
  }

  @Test
  void etcdThatWasStartedAgainIsTheSameHistory() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 3);
        var store = open(etcd.endpoints());
        var feed = followed(store)) {
      for (int round = 0; round < 3; round++) {
        var leader = etcd.leader().orElseThrow();
        leader.stop();
        put(store, "/without-a-member", "" + round);
        leader.start();
        etcd.awaitReady();
        store.compact(latest(store));
        etcd.members().forEach(member -> member.kill());
        etcd.startAll();
        var last = put(store, "/after-all", "" + round);
        StoreFixture.takeUntil(feed, last);
        try (var image = store.image()) {
          assertThat(image.revision()).isGreaterThanOrEqualTo(last);
        }
      }
    }
  }

  @Test
  void endpointsOfSeveralClustersAreRefused() {
    try (var one = EtcdCluster.start(folder.resolve("one"), 1);
        var two = EtcdCluster.start(folder.resolve("two"), 1);
        var store = open(one.endpoints()[0], two.endpoints()[0])) {
      assertThatThrownBy(store::image)
          .isInstanceOf(StoreException.Unusable.class)
          .hasMessageContaining("the endpoints belong to several etcd clusters")
          .hasMessageContaining(one.endpoints()[0])
          .hasMessageContaining(two.endpoints()[0]);
    }
  }

  @Test
  void anotherClusterBehindTheSameAddressIsAnotherHistory() throws Exception {
    try (var one = EtcdCluster.start(folder.resolve("one"), 1);
        var two = EtcdCluster.start(folder.resolve("two"), 1);
        var proxy = new TcpProxy(one.endpoints()[0]);
        var store = open(proxy.endpoint());
        var feed = followed(store)) {
      climb(two, 100);
      proxy.leadTo(two.endpoints()[0]);
      proxy.cut();

      assertReplaced(store, feed);
    }
  }

  /** Opens a feed that has seen one commit of the store. */
  private static Feed followed(EtcdStore store) throws InterruptedException {
    var image = store.image();
    var feed = store.follow(image.revision());
    StoreFixture.takeUntil(feed, put(store, UNTIL, "1"));
    return feed;
  }

  private static void climb(EtcdCluster etcd, int writes) {
    try (var other = open(etcd.endpoints())) {
      for (int i = 0; i < writes; i++) {
        put(other, "/after" + i, "1");
      }
    }
  }

  private static void assertReplaced(EtcdStore store, Feed feed) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> feed.take(Duration.ofMillis(10)))
                    .isInstanceOf(StoreException.Replaced.class));
    assertThat(store.readIndex())
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.Replaced.class);
    assertThat(store.commit(Transaction.of(operation("/refused", "1", Operation.ANY))))
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.Replaced.class);
    assertThatThrownBy(store::image).isInstanceOf(StoreException.Replaced.class);
    assertThatThrownBy(() -> store.follow(1)).isInstanceOf(StoreException.Replaced.class);
  }

  private static EtcdStore open(String... endpoints) {
    return EtcdStore.open(
        EtcdOptions.at(endpoints)
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(20))
            .withCompactionInterval(Duration.ZERO));
  }

  private static Operation operation(String key, String value, long expected) {
    return new Operation.Put(key, StoreFixture.bytes(value), expected);
  }

  private static long put(EtcdStore store, String key, String value) {
    var result =
        StoreFixture.await(store.commit(Transaction.of(operation(key, value, Operation.ANY))));
    return ((CommitResult.Committed) result).revision();
  }

  private static long latest(EtcdStore store) {
    return StoreFixture.await(store.readIndex());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
