package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.NODES;
import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.data;
import static dev.muster.replica.Samples.delete;
import static dev.muster.replica.Samples.put;
import static dev.muster.replica.Samples.putMap;
import static dev.muster.replica.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.store.Commit;
import dev.muster.store.MemoryStore;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaFaultTest {
  private final MemoryStore memory = new MemoryStore();
  private final FaultyStore store = new FaultyStore(memory);
  private final Replica replica =
      Samples.start(store, Samples.OPTIONS.withStallTimeout(Duration.ofMillis(500)));

  @BeforeEach
  void load() {
    putMap(memory, "a", "one", "1");
    putMap(memory, "a", "two", "1");
    put(memory, NODES + "/n", value("", "n", "1"));
    await(replica, 3);
    await().until(replica::ready);
  }

  @AfterEach
  void stop() {
    replica.close();
    memory.close();
  }

  private static List<String> poll(WatchCursor cursor) {
    var events = new ArrayList<String>();
    cursor.poll(1_000, event -> events.add(event.toString()));
    return events;
  }

  /** Makes the replica miss a stretch of the log and take a new image. */
  private void skip(Runnable changes) {
    store.cut();
    await().until(() -> !replica.ready());
    changes.run();
    memory.compact(memory.readIndex().join());
    store.mend();
    await(replica, memory.readIndex().join());
    await().until(replica::ready);
  }

  @Test
  void servesWhatItHasWhileTheStoreIsAwayAndCatchesUp() {
    var cursor = replica.watch(MAPS, 3);
    store.cut();
    await().until(() -> !replica.ready());
    assertThat(replica.health().trouble()).isNotEmpty();
    assertThat(replica.current().collection(MAPS).size()).isEqualTo(2);
    assertThat(replica.fresh())
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.Unavailable.class);
    putMap(memory, "a", "one", "2");
    putMap(memory, "a", "three", "2");
    store.mend();
    await().until(replica::ready);
    assertThat(replica.current().revision()).isEqualTo(5);
    assertThat(replica.health().trouble()).isEmpty();
    assertThat(replica.health().lag()).isZero();
    assertThat(poll(cursor)).containsExactly("MODIFIED a/one@4 at 4", "ADDED a/three@5 at 5");
    assertThat(replica.health().reloads()).isZero();
  }

  @Test
  void changesInALostStretchOfTheLogAreToldInTheirOrder() {
    var cursor = replica.watch(MAPS, 3);
    var nodes = replica.watch(NODES, 3);
    skip(
        () -> {
          putMap(memory, "a", "two", "2");
          putMap(memory, "b", "new", "2");
          putMap(memory, "a", "one", "2");
          putMap(memory, "a", "two", "3");
        });
    assertThat(replica.health().reloads()).isEqualTo(1);
    assertThat(poll(cursor))
        .containsExactly("ADDED b/new@5 at 5", "MODIFIED a/one@6 at 6", "MODIFIED a/two@7 at 7");
    assertThat(poll(nodes)).isEmpty();
    assertThat(nodes.position()).isEqualTo(7);
    assertThat(replica.at(5)).isEmpty();
    assertThat(replica.oldest()).isEqualTo(7);
    // A watcher from elsewhere may know an object that came and went in between.
    assertThatThrownBy(() -> replica.watch(MAPS, 5)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(poll(replica.watch(MAPS, 3))).hasSize(3);
    assertThat(poll(replica.watch(MAPS, 7))).isEmpty();
  }

  @Test
  void deletionInALostStretchExpiresTheWatchesOfItsCollectionOnly() {
    var maps = replica.watch(MAPS, 3);
    var nodes = replica.watch(NODES, 3);
    skip(
        () -> {
          delete(memory, MAPS + "/a/one");
          putMap(memory, "a", "two", "2");
          put(memory, NODES + "/n", value("", "n", "2"));
        });
    assertThatThrownBy(() -> poll(maps)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(poll(nodes)).containsExactly("MODIFIED n@6 at 6");
    var snapshot = replica.current();
    assertThat(snapshot.collection(MAPS).get("a", "one")).isNull();
    assertThat(data(snapshot.collection(MAPS).get("a", "two"))).isEqualTo("2");
    var again = replica.watch(MAPS, snapshot.revision());
    await(replica, putMap(memory, "a", "one", "3"));
    assertThat(poll(again)).containsExactly("ADDED a/one@7 at 7");
  }

  @Test
  void objectReplacedByAnotherOfItsNameInALostStretchExpiresWatches() {
    var maps = replica.watch(MAPS, 3);
    skip(
        () -> {
          delete(memory, MAPS + "/a/one");
          put(memory, MAPS + "/a/one", value("a", "other-uid", "2"));
        });
    assertThatThrownBy(() -> poll(maps)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(data(replica.current().collection(MAPS).get("a", "one"))).isEqualTo("2");
  }

  @Test
  void gapInTheLogIsNotPassedOver() {
    store.lie(commit -> commit.revision() == 5 ? new Commit(6, commit.changes()) : commit);
    putMap(memory, "a", "one", "2");
    putMap(memory, "a", "one", "3");
    putMap(memory, "a", "two", "3");
    await(replica, 6);
    assertThat(replica.health().reloads()).isPositive();
    assertThat(data(replica.current().collection(MAPS).get("a", "one"))).isEqualTo("3");
    assertThat(data(replica.current().collection(MAPS).get("a", "two"))).isEqualTo("3");
  }

  @Test
  void feedThatBringsNothingIsOpenedAnew() {
    store.deafen();
    putMap(memory, "a", "one", "2");
    await().until(() -> !replica.ready());
    store.mend();
    await().until(replica::ready);
    assertThat(replica.current().revision()).isEqualTo(4);
  }

  @Test
  void storeThatWentBackIsRefused() {
    var older = new MemoryStore();
    putMap(older, "a", "one", "other");
    store.replace(older);
    await().atMost(Duration.ofSeconds(60)).until(() -> !replica.ready());
    assertThat(replica.health().trouble()).contains("went back from revision 3 to 1");
    for (int i = 0; i < 10; i++) {
      putMap(older, "a", "one", "later" + i);
    }
    assertThat(replica.current().revision()).isEqualTo(3);
    assertThat(replica.fresh())
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableThat()
        .withCauseInstanceOf(ReplicaException.Replaced.class);
    assertThat(data(replica.current().collection(MAPS).get("a", "one"))).isEqualTo("1");
    assertServesNothing();
    older.close();
  }

  @Test
  void storeThatSaysItsHistoryIsAnotherOneIsRefusedForGood() throws Exception {
    var waiting = replica.applied(4);
    store.restore(new StoreException.Replaced("restored"));
    assertThat(replica.replaced().get(10, TimeUnit.SECONDS)).hasMessage("restored");
    await().until(() -> replica.health().trouble().equals("restored"));
    assertThat(waiting)
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableThat()
        .withCauseInstanceOf(ReplicaException.Replaced.class);
    assertServesNothing();
    // Whatever the store holds afterwards.
    store.restore(null);
    putMap(memory, "a", "one", "2");
    putMap(memory, "a", "one", "3");
    assertServesNothing();
    assertThat(replica.current().revision()).isEqualTo(3);
    try (var another = Samples.start(store, Samples.OPTIONS)) {
      await(another, 5);
      await().until(another::ready);
      assertThatThrownBy(() -> another.watch(MAPS, 3)).isInstanceOf(ReplicaException.Expired.class);
    }
  }

  @Test
  void historyThatTurnsOutToBeAnotherOneWhenAnImageIsReadIsRefused() throws Exception {
    store.restoreImages(new StoreException.Replaced("restored"));
    replica.reload();
    assertThat(replica.replaced().get(10, TimeUnit.SECONDS)).hasMessage("restored");
    await().until(() -> !replica.ready());
    assertServesNothing();
  }

  private void assertServesNothing() {
    assertThat(replica.ready()).isFalse();
    assertThat(replica.isReplaced()).isTrue();
    for (var refused : List.of(replica.fresh(), replica.applied(0), replica.applied(3))) {
      assertThat(refused)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .withCauseInstanceOf(ReplicaException.Replaced.class);
    }
    assertThatThrownBy(() -> replica.at(3)).isInstanceOf(ReplicaException.Replaced.class);
    assertThatThrownBy(() -> replica.watch(MAPS, 3)).isInstanceOf(ReplicaException.Replaced.class);
  }

  @Test
  void lostChangeIsFoundByTheCheckAndHealed() throws Exception {
    assertThat(replica.check().differences()).isEmpty();
    store.lie(commit -> new Commit(commit.revision(), List.of()));
    putMap(memory, "a", "one", "2");
    delete(memory, MAPS + "/a/two");
    put(memory, "/leases/x", new byte[0]);
    await(replica, 6);
    assertThat(replica.check().differences()).containsExactly(MAPS + "/a/one", "/leases/x");
  }

  @Test
  void checkRunsByItselfAndTheReplicaIsLoadedAnew() {
    try (var checked =
        Samples.start(store, Samples.OPTIONS.withCheckInterval(Duration.ofMillis(50)))) {
      await(checked, 3);
      var cursor = checked.watch(MAPS, 3);
      store.lie(commit -> commit.revision() == 4 ? new Commit(4, List.of()) : commit);
      putMap(memory, "a", "one", "2");
      await().until(() -> checked.health().divergences() > 0);
      await().until(() -> checked.health().reloads() > 0);
      await().until(() -> data(checked.current().collection(MAPS).get("a", "one")).equals("2"));
      assertThatThrownBy(() -> poll(cursor)).isInstanceOf(ReplicaException.Expired.class);
    }
  }
}
