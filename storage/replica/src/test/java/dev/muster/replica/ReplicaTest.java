package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.NODES;
import static dev.muster.replica.Samples.PODS;
import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.data;
import static dev.muster.replica.Samples.delete;
import static dev.muster.replica.Samples.put;
import static dev.muster.replica.Samples.putMap;
import static dev.muster.replica.Samples.start;
import static dev.muster.replica.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.model.ObjectName;
import dev.muster.model.select.LabelSelector;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaTest {
  private final MemoryStore store = new MemoryStore();
  private final List<Replica> replicas = new ArrayList<>();

  @AfterEach
  void stop() {
    replicas.forEach(Replica::close);
    store.close();
  }

  private Replica replica() {
    return replica(Samples.OPTIONS);
  }

  private Replica replica(ReplicaOptions options) {
    var replica = start(store, options);
    replicas.add(replica);
    await(replica, 0);
    return replica;
  }

  @Test
  void servesWhatWasThereBeforeItAndWhatComesLater() {
    putMap(store, "a", "one", "1");
    put(store, NODES + "/n1", value("", "n1", "node"));
    var replica = replica();
    var later = putMap(store, "a", "two", "2");
    var snapshot = await(replica, later);
    assertThat(snapshot.revision()).isEqualTo(3);
    var maps = snapshot.collection(MAPS);
    assertThat(maps.size()).isEqualTo(2);
    var two = Objects.requireNonNull(maps.get("a", "two"));
    assertThat(data(two)).isEqualTo("2");
    assertThat(two.revision()).isEqualTo(3);
    assertThat(two.tree().object("metadata").string("resourceVersion")).isEqualTo("3");
    assertThat(snapshot.collection(NODES).get("", "n1")).isNotNull();
    assertThat(snapshot.collection(PODS).size()).isZero();
    assertThat(snapshot.collection("/unheard-of").all()).isEmpty();
  }

  @Test
  void snapshotStaysAsItIs() {
    var replica = replica();
    var first = await(replica, putMap(store, "a", "one", "1"));
    await(replica, putMap(store, "a", "one", "2"));
    var gone = await(replica, delete(store, MAPS + "/a/one"));
    var one = first.collection(MAPS).get("a", "one");
    assertThat(data(one)).isEqualTo("1");
    assertThat(gone.collection(MAPS).get("a", "one")).isNull();
  }

  @Test
  void everyRevisionThatIsKeptCanBeReadAgain() {
    var replica = replica();
    long first = putMap(store, "a", "one", "0");
    for (int i = 1; i < 100; i++) {
      putMap(store, "a", i % 2 == 0 ? "one" : "two", Integer.toString(i));
    }
    await(replica, first + 99);
    for (int i = 0; i < 100; i++) {
      var maps = replica.at(first + i).orElseThrow().collection(MAPS);
      assertThat(maps.size()).isEqualTo(i == 0 ? 1 : 2);
      var changed = maps.get("a", i % 2 == 0 ? "one" : "two");
      assertThat(data(changed)).isEqualTo(Integer.toString(i));
    }
    assertThat(replica.at(first + 100)).isEmpty();
    assertThat(replica.oldest()).isLessThanOrEqualTo(first);
  }

  @Test
  void freshShowsEveryAcknowledgedCommit() {
    var replica = replica();
    for (int i = 0; i < 1_000; i++) {
      long revision = putMap(store, "a", "one", Integer.toString(i));
      assertThat(replica.fresh().join().revision()).isGreaterThanOrEqualTo(revision);
    }
    assertThat(replica.fresh().isDone()).isTrue();
  }

  @Test
  void appliedWaitsForItsRevision() {
    var replica = replica();
    await(replica, 0);
    var waiting = replica.applied(2);
    putMap(store, "a", "one", "1");
    await(replica, 1);
    assertThat(waiting).isNotDone();
    putMap(store, "a", "one", "2");
    assertThat(waiting.join().revision()).isEqualTo(2);
  }

  @Test
  void rangesFollowTheOrderOfKeys() {
    putMap(store, "a", "x", "");
    putMap(store, "a-b", "x", "");
    putMap(store, "a", "b", "");
    putMap(store, "b", "a", "");
    var maps = await(replica(), 4).collection(MAPS);
    assertThat(maps.all().stream().map(object -> object.name().toString()))
        .containsExactly("a-b/x", "a/b", "a/x", "b/a");
    assertThat(maps.in("a").stream().map(object -> object.name().name())).containsExactly("b", "x");
    assertThat(maps.in("a").count()).isEqualTo(2);
    assertThat(maps.in("c")).isEmpty();
    var rest = maps.all().startingAfter(new ObjectName("a", "b"));
    assertThat(rest.count()).isEqualTo(2);
    assertThat(rest.stream().map(object -> object.name().toString())).containsExactly("a/x", "b/a");
    assertThat(maps.all().startingAfter(new ObjectName("a", "c")).count()).isEqualTo(2);
    assertThat(maps.in("a").startingAfter(new ObjectName("a", "x"))).isEmpty();
    assertThat(maps.in("b").startingAfter(new ObjectName("a", "x")).count()).isEqualTo(1);
  }

  @Test
  void indexedFieldFindsItsObjects() {
    var replica = replica();
    for (int i = 0; i < 10; i++) {
      put(store, PODS + "/a/p" + i, podOn("n" + i % 2));
    }
    delete(store, PODS + "/a/p1");
    put(store, PODS + "/a/p3", podOn("n0"));
    var pods = await(replica, 12).collection(PODS);
    assertThat(pods.indexes("spec.nodeName")).isTrue();
    assertThat(pods.withField("spec.nodeName", "n0").count()).isEqualTo(6);
    assertThat(pods.withField("spec.nodeName", "n1").stream().map(pod -> pod.name().name()))
        .containsExactly("p5", "p7", "p9");
    assertThat(pods.withField("spec.nodeName", "n2")).isEmpty();
    var before = replica.at(10).orElseThrow().collection(PODS);
    assertThat(before.withField("spec.nodeName", "n1").count()).isEqualTo(5);
    assertThatThrownBy(() -> pods.withField("spec.other", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] podOn(String node) {
    return "{\"spec\":{\"nodeName\":\"%s\"}}".formatted(node).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void keysThatAreNotObjectsAreServedAsTheyAre() {
    var replica = replica();
    put(store, "/masterleases/10.0.0.1", new byte[] {1});
    put(store, "/masterleases/10.0.0.2", new byte[] {2});
    put(store, "/ranges/serviceips", new byte[] {3});
    var snapshot = await(replica, 3);
    assertThat(snapshot.rawUnder("/masterleases/"))
        .extracting(entry -> entry.value()[0])
        .containsExactly((byte) 1, (byte) 2);
    var range = Objects.requireNonNull(snapshot.raw("/ranges/serviceips"));
    assertThat(range.modRevision()).isEqualTo(3);
    assertThat(snapshot.raw("/ranges/other")).isNull();
    delete(store, "/masterleases/10.0.0.1");
    assertThat(await(replica, 4).rawUnder("/masterleases/")).hasSize(1);
  }

  @Test
  void commitOfSeveralKeysIsSeenWholeOrNotAtAll() {
    var replica = replica();
    long first = putMap(store, "a", "one", "0");
    var seen = new ArrayList<Snapshot>();
    try (var _ = replica.onPublish(() -> seen.add(replica.current()))) {
      for (int i = 1; i <= 200; i++) {
        var text = Integer.toString(i);
        Samples.commit(
            store,
            new Operation.Put(MAPS + "/a/one", value("a", "one", text), Operation.ANY),
            new Operation.Put(MAPS + "/b/two", value("b", "two", text), Operation.ANY));
      }
      await(replica, first + 200);
    }
    for (long revision = first + 1; revision <= first + 200; revision++) {
      var maps = replica.at(revision).orElseThrow().collection(MAPS);
      assertThat(maps.all().stream().map(Samples::data).distinct()).hasSize(1);
      assertThat(maps.changed()).isEqualTo(revision);
    }
    assertThat(seen).extracting(Snapshot::revision).isSorted();
  }

  @Test
  void whoWaitsForSomeCollectionsIsNotToldOfOthers() {
    var replica = replica();
    long first = putMap(store, "a", "one", "0");
    await(replica, first);
    var told = new CopyOnWriteArrayList<Long>();
    try (var _ = replica.onChange(Set.of(MAPS), () -> told.add(replica.current().revision()))) {
      // Who waits for a revision goes on before listeners are told, of the first one perhaps.
      long map = putMap(store, "a", "one", "1");
      await().until(() -> told.contains(map));
      Samples.commit(
          store, new Operation.Put("/masterleases/10.0.0.1", new byte[] {1}, Operation.ANY));
      await(replica, map + 1);
      long last = putMap(store, "b", "two", "1");
      await().until(() -> told.contains(last));
      assertThat(told).filteredOn(revision -> revision > first).containsExactly(map, last);
    }
  }

  @Test
  void unreadableValueIsReportedAndStopsNothing() {
    var replica = replica();
    putMap(store, "a", "one", "1");
    await(replica, 1);
    var cursor = replica.watch(MAPS, 1);
    put(store, MAPS + "/a/one", "broken".getBytes(StandardCharsets.UTF_8));
    put(store, MAPS + "/a/never", "broken".getBytes(StandardCharsets.UTF_8));
    putMap(store, "a", "two", "2");
    var maps = await(replica, 4).collection(MAPS);
    assertThat(maps.size()).isEqualTo(1);
    assertThat(maps.unreadable())
        .extracting(UnreadableObject::key)
        .containsExactly(MAPS + "/a/never", MAPS + "/a/one");
    assertThatThrownBy(() -> maps.get("a", "one"))
        .isInstanceOf(ReplicaException.Unreadable.class)
        .hasMessageContaining(MAPS + "/a/one");
    assertThat(replica.health().unreadable()).isEqualTo(2);

    putMap(store, "a", "one", "3");
    put(store, MAPS + "/a/two", "broken".getBytes(StandardCharsets.UTF_8));
    delete(store, MAPS + "/a/two");
    delete(store, MAPS + "/a/never");
    assertThat(await(replica, 8).collection(MAPS).unreadable()).isEmpty();
    var events = new ArrayList<String>();
    cursor.poll(100, event -> events.add(event.toString()));
    assertThat(events)
        .containsExactly("ADDED a/two@4 at 4", "MODIFIED a/one@5 at 5", "DELETED a/two@4 at 7");
    assertThat(replica.at(6).orElseThrow().collection(MAPS).unreadable())
        .extracting(UnreadableObject::key)
        .containsExactly(MAPS + "/a/never", MAPS + "/a/two");
    assertThat(replica.at(1).orElseThrow().collection(MAPS).get("a", "one")).isNotNull();
    assertThat(replica.at(4).orElseThrow().collection(MAPS).unreadable()).hasSize(2);
  }

  @Test
  void labelThatIsAskedForOftenGetsAnIndex() {
    for (int i = 0; i < 2_000; i++) {
      put(
          store,
          MAPS + "/a/m" + i,
          value("a", "m" + i, Map.of("app", "app" + i % 100), Integer.toString(i)));
    }
    var replica = replica();
    await(replica, 2_000);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              var maps = replica.current().collection(MAPS);
              assertThat(maps.withLabel("app", "app7", null).count()).isEqualTo(20);
              return !maps.labelIndexes().isEmpty();
            });
    delete(store, MAPS + "/a/m7");
    put(store, MAPS + "/a/m107", value("a", "m107", Map.of("app", "app8"), ""));
    put(store, MAPS + "/b/m1", value("b", "m1", Map.of("app", "app7"), ""));
    var maps = await(replica, 2_003).collection(MAPS);
    assertThat(maps.labelIndexes()).containsExactly("app");
    assertThat(maps.withLabel("app", "app7", null).count()).isEqualTo(19);
    assertThat(maps.withLabel("app", "app7", "b").count()).isEqualTo(1);
    assertThat(maps.withLabel("app", "app8", "a").count()).isEqualTo(21);
    assertThat(maps.withLabel("app", "none", null)).isEmpty();
    assertThat(maps.matching(LabelSelector.parse("app=app7"), null).count()).isEqualTo(19);
    assertThat(maps.matching(LabelSelector.parse("none!=x,app=app7"), "a").count()).isEqualTo(18);
    assertThat(maps.matching(LabelSelector.parse("app in (app7,app8)"), "a").count()).isEqualTo(39);
    assertThat(maps.matching(LabelSelector.EVERYTHING, null).count()).isEqualTo(2_000);
    assertThat(maps.matching(LabelSelector.NOTHING, null)).isEmpty();
    var rest = maps.withLabel("app", "app7", null).startingAfter(new ObjectName("a", "m1807"));
    assertThat(rest.stream().map(object -> object.name().toString()))
        .containsExactly(
            "a/m1907", "a/m207", "a/m307", "a/m407", "a/m507", "a/m607", "a/m707", "a/m807",
            "a/m907", "b/m1");
  }

  @Test
  void nothingIsServedBeforeTheFirstImage() {
    var never = new FaultyStore(store);
    never.cut();
    var replica = start(never);
    replicas.add(replica);
    assertThatThrownBy(replica::current).isInstanceOf(ReplicaException.NotLoaded.class);
    assertThat(replica.ready()).isFalse();
    never.mend();
    await().until(replica::ready);
    assertThat(replica.current().revision()).isZero();
  }

  @Test
  void whoeverWaitsIsToldWhenItCloses() {
    var replica = replica();
    await(replica, 0);
    var waiting = replica.applied(99);
    replica.close();
    await().until(waiting::isCompletedExceptionally);
    assertThat(replica.applied(100)).isCompletedExceptionally();
    assertThat(replica.current().revision()).isZero();
    assertThat(replica.ready()).isFalse();
  }

  @Test
  void whatIsTooOldIsToldByTime() {
    var now = new AtomicLong();
    var replica = replica(Samples.OPTIONS.withClock(() -> Instant.ofEpochMilli(now.get())));
    long first = putMap(store, "a", "one", "1");
    await(replica, first);
    for (int minute = 1; minute <= 4; minute++) {
      now.addAndGet(Duration.ofMinutes(1).toMillis());
      await(replica, put(store, NODES + "/n" + minute, value("", "n" + minute, "node")));
    }
    assertThat(replica.at(first)).isPresent();
    now.addAndGet(Duration.ofMinutes(5).toMillis());
    var last = await(replica, put(store, NODES + "/last", value("", "last", "node")));
    assertThat(replica.at(first)).as("though its maps have not changed since").isEmpty();
    assertThat(replica.at(last.revision())).isPresent();
    assertThat(replica.oldest()).isGreaterThan(first);
  }

  @Test
  void whatASnapshotKeepsIsThereWhenItsTimeHasPassed() {
    var now = new AtomicLong();
    var replica = replica(Samples.OPTIONS.withClock(() -> Instant.ofEpochMilli(now.get())));
    long first = putMap(store, "a", "one", "1");
    await(replica, putMap(store, "a", "one", "2"));
    var old = replica.at(first).orElseThrow();
    var kept = old.keeping(MAPS);
    now.addAndGet(Duration.ofHours(1).toMillis());
    await(replica, putMap(store, "a", "one", "3"));
    // What is too old goes after a commit is shown, and before the next one is.
    await(replica, putMap(store, "a", "one", "4"));
    assertThatThrownBy(() -> old.collection(MAPS)).isInstanceOf(ReplicaException.Expired.class);
    assertThat(data(kept.collection(MAPS).get("a", "one"))).isEqualTo("1");
    assertThat(kept.collection(NODES).size()).as("what was not asked for").isZero();
  }
}
