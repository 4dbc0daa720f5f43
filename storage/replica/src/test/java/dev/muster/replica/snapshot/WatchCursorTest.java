package dev.muster.replica.snapshot;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.NODES;
import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.delete;
import static dev.muster.replica.Samples.put;
import static dev.muster.replica.Samples.putMap;
import static dev.muster.replica.Samples.start;
import static dev.muster.replica.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.Samples;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchCursorTest {
  private final MemoryStore store = new MemoryStore();
  private volatile Instant now = Instant.EPOCH;
  private Replica replica = start(store);

  @AfterEach
  void stop() {
    replica.close();
    store.close();
  }

  private void restart(ReplicaOptions options) {
    replica.close();
    replica = start(store, options);
    await(replica, 0);
  }

  private static List<String> poll(WatchCursor cursor, int most) {
    var events = new ArrayList<String>();
    assertThat(cursor.poll(most, event -> events.add(event.toString()))).isEqualTo(events.size());
    return events;
  }

  @Test
  void handsOverTheEventsOfItsCollectionOnceAndInOrder() {
    await(replica, 0);
    var cursor = replica.watch(MAPS, 0);
    putMap(store, "a", "one", "1");
    put(store, NODES + "/n", value("", "n", ""));
    putMap(store, "a", "one", "2");
    await(replica, delete(store, MAPS + "/a/one"));
    assertThat(poll(cursor, 100))
        .containsExactly("ADDED a/one@1 at 1", "MODIFIED a/one@3 at 3", "DELETED a/one@3 at 4");
    assertThat(poll(cursor, 100)).isEmpty();
    assertThat(cursor.position()).isEqualTo(4);
    assertThat(poll(replica.watch(MAPS, 3), 100)).containsExactly("DELETED a/one@3 at 4");
  }

  @Test
  void positionMovesOnWithCommitsThatConcernOthers() {
    await(replica, 0);
    var cursor = replica.watch(MAPS, 0);
    await(replica, put(store, NODES + "/n", value("", "n", "")));
    assertThat(poll(cursor, 1)).isEmpty();
    assertThat(cursor.position()).isEqualTo(1);
  }

  @Test
  void positionStaysBeforeACommitOfWhichSomethingIsLeft() {
    await(replica, 0);
    var cursor = replica.watch(MAPS, 0);
    putMap(store, "a", "zero", "");
    long revision =
        Samples.commit(
            store,
            new Operation.Put(MAPS + "/a/one", value("a", "one", ""), Operation.ANY),
            new Operation.Put(MAPS + "/a/two", value("a", "two", ""), Operation.ANY));
    await(replica, revision);
    assertThat(poll(cursor, 2)).hasSize(2);
    assertThat(cursor.position()).isEqualTo(1);
    assertThat(poll(cursor, 2)).hasSize(1);
    assertThat(cursor.position()).isEqualTo(2);
  }

  @Test
  void revisionThatIsNotThereYetIsTakenAsItIs() {
    await(replica, 0);
    var cursor = replica.watch(MAPS, 2);
    for (int i = 1; i <= 4; i++) {
      putMap(store, "a", "m" + i, "");
    }
    await(replica, 4);
    assertThat(poll(cursor, 100)).containsExactly("ADDED a/m3@3 at 3", "ADDED a/m4@4 at 4");
  }

  @Test
  void slowCursorExpiresAndDisturbsNobody() {
    restart(Samples.OPTIONS.withEvents(Duration.ofMinutes(5), 100, Long.MAX_VALUE));
    var slow = replica.watch(MAPS, 0);
    var fast = replica.watch(MAPS, 0);
    int seen = 0;
    for (int i = 1; i <= 1_000; i++) {
      await(replica, putMap(store, "a", "one", Integer.toString(i)));
      seen += poll(fast, 10).size();
    }
    assertThat(seen).isEqualTo(1_000);
    assertThatThrownBy(() -> poll(slow, 10)).isInstanceOf(ReplicaException.Expired.class);
    assertThatThrownBy(() -> poll(slow, 10)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(slow.position()).isZero();
    assertThatThrownBy(() -> replica.watch(MAPS, 800))
        .isInstanceOf(ReplicaException.Expired.class)
        .hasMessage("too old resource version: 800 (900)");
    assertThat(poll(replica.watch(MAPS, 900), 1_000)).hasSize(100);
    assertThat(replica.health().events()).isEqualTo(100);
  }

  @Test
  void eventsAreForgottenAfterTheirTimeAndQuietCollectionsExpireNobody() {
    restart(Samples.OPTIONS.withClock(() -> now));
    var maps = replica.watch(MAPS, 0);
    await(replica, put(store, NODES + "/n", value("", "n", "")));
    now = now.plusSeconds(200);
    putMap(store, "a", "one", "1");
    await(replica, putMap(store, "a", "one", "2"));
    now = now.plusSeconds(200);
    await().until(() -> replica.health().events() == 2);
    assertThatThrownBy(() -> replica.watch(NODES, 0)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(poll(replica.watch(NODES, 1), 10)).isEmpty();
    assertThat(poll(maps, 10)).hasSize(2);
    now = now.plusSeconds(200);
    await().until(() -> replica.health().events() == 0);
    assertThat(poll(maps, 10)).isEmpty();
    assertThat(poll(replica.watch(MAPS, 3), 10)).isEmpty();
    assertThatThrownBy(() -> replica.watch(MAPS, 2)).isInstanceOf(ReplicaException.Expired.class);
  }

  @Test
  void memoryOfEventsIsBounded() {
    restart(Samples.OPTIONS.withEvents(Duration.ofMinutes(5), 100_000, 1 << 20));
    var large = "x".repeat(10_000);
    for (int i = 0; i < 1_000; i++) {
      putMap(store, "a", "one", large + i);
      put(store, NODES + "/n", value("", "n", "" + i));
    }
    await(replica, 2_000);
    assertThat(replica.health().eventBytes()).isBetween(500_000L, 1L << 20);
    assertThat(poll(replica.watch(NODES, 1_500), 2_000)).hasSize(250);
    assertThatThrownBy(() -> replica.watch(MAPS, 1_500))
        .isInstanceOf(ReplicaException.Expired.class);
  }

  @Test
  void revisionBeforeTheReplicaHasExpired() {
    await(replica, putMap(store, "a", "one", "1"));
    restart(Samples.OPTIONS);
    assertThatThrownBy(() -> replica.watch(MAPS, 0)).isInstanceOf(ReplicaException.Expired.class);
    assertThatThrownBy(() -> replica.watch(NODES, 0)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(poll(replica.watch(MAPS, 1), 10)).isEmpty();
  }
}
