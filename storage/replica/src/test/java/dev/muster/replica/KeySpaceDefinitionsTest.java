package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.NODES;
import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.delete;
import static dev.muster.replica.Samples.put;
import static dev.muster.replica.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collections that come, change and go with objects that define them: a node {@code widgets} whose
 * data are {@code 1} makes a collection {@code /x/widgets} that is read in the first of many ways.
 */
class KeySpaceDefinitionsTest {
  private static final String WIDGETS = "/x/widgets";
  private static final String DEFINITION = NODES + "/widgets";

  /** A collection whose objects say in which way they were read. */
  private static CollectionSpec spec(String storage, String way) {
    return new CollectionSpec(
        storage,
        (stored, revision) -> {
          if (way.equals("broken")) {
            throw new IllegalArgumentException("nobody can read that");
          }
          var text =
              new String(stored, StandardCharsets.UTF_8).replace("\"v\":\"", "\"v\":\"" + way);
          return Samples.DECODER.decode(text.getBytes(StandardCharsets.UTF_8), revision);
        },
        way.equals("indexed") ? List.of(IndexedField.at("data.v")) : List.of());
  }

  private static final KeySpaceDefinitions DEFINITIONS =
      new KeySpaceDefinitions() {
        @Override
        public Set<String> storages() {
          return Set.of(NODES);
        }

        @Override
        public KeySpace after(KeySpace before, List<Change> changes) {
          var keys = (PlainKeys) before;
          for (var change : changes) {
            var old = change.before();
            var now = change.after();
            if (now != null && Samples.data(now).equals("bad")) {
              throw new IllegalStateException("a definition that cannot be followed");
            }
            boolean same =
                old != null && now != null && Samples.data(old).equals(Samples.data(now));
            if (!same) {
              var storage = "/x/" + name(old, now);
              keys = keys.with(storage, now == null ? null : spec(storage, Samples.data(now)));
            }
          }
          return keys;
        }

        private static String name(@Nullable StoredObject old, @Nullable StoredObject now) {
          return (now != null ? now : Objects.requireNonNull(old)).name().name();
        }
      };

  private final MemoryStore store = new MemoryStore();
  private final List<Replica> replicas = new ArrayList<>();

  @AfterEach
  void close() {
    replicas.forEach(Replica::close);
    store.close();
  }

  private Replica replica() {
    var replica = Replica.start(store, Samples.KEYS, DEFINITIONS, Samples.OPTIONS);
    replicas.add(replica);
    await(replica, 0);
    return replica;
  }

  private long define(String way) {
    return put(store, DEFINITION, value("", "widgets", way));
  }

  private long widget(String name, String data) {
    return put(store, WIDGETS + "/a/" + name, value("a", name, data));
  }

  private static List<String> data(Snapshot snapshot) {
    return snapshot.collection(WIDGETS).all().stream().map(Samples::data).toList();
  }

  @Test
  void aCollectionThatAppearsHasWhatIsAlreadyStored() {
    widget("w1", "1");
    var replica = replica();
    widget("w2", "2");
    assertThat(await(replica, 2).rawUnder("/x/")).hasSize(2);
    var defined = await(replica, define("a"));
    assertThat(data(defined)).containsExactly("a1", "a2");
    assertThat(defined.rawUnder("/x/")).isEmpty();
    assertThat(defined.keySpace().collection(WIDGETS)).isNotNull();
    assertThat(data(await(replica, widget("w3", "3")))).containsExactly("a1", "a2", "a3");
  }

  @Test
  void aSnapshotKnowsWhichCollectionsAreNotAsBefore() {
    var replica = replica();
    var first = await(replica, define("a"));
    var second = await(replica, widget("w1", "1"));
    assertThat(second.changedSince(second)).isEmpty();
    assertThat(second.changedSince(first)).containsExactly(WIDGETS);
    var third = await(replica, define("b"));
    assertThat(third.changedSince(second)).containsExactlyInAnyOrder(WIDGETS, NODES);
  }

  @Test
  void anImageIsReadByItsOwnDefinitions() {
    widget("w1", "1");
    define("a");
    widget("w2", "2");
    assertThat(data(await(replica(), 3))).containsExactly("a1", "a2");
  }

  @Test
  void definitionAndObjectsOfOneCommitBelongTogether() {
    var replica = replica();
    long revision =
        Samples.commit(
            store,
            new Operation.Put(WIDGETS + "/a/w", value("a", "w", "1"), Operation.ANY),
            new Operation.Put(DEFINITION, value("", "widgets", "a"), Operation.ANY));
    assertThat(data(await(replica, revision))).containsExactly("a1");
  }

  @Test
  void aCollectionThatGoesAwayLeavesWhatWasStored() {
    var replica = replica();
    define("a");
    var stored = value("a", "w1", "1");
    put(store, WIDGETS + "/a/w1", stored);
    var gone = await(replica, delete(store, DEFINITION));
    assertThat(gone.collection(WIDGETS).size()).isZero();
    assertThat(gone.storages()).doesNotContain(WIDGETS);
    var entry = gone.rawUnder("/x/").getFirst();
    assertThat(entry.modRevision()).isEqualTo(2);
    assertThat(entry.value()).isEqualTo(stored);
    assertThat(data(await(replica, define("b")))).containsExactly("b1");
  }

  @Test
  void aCollectionThatIsReadInAnotherWayIsReadAnew() {
    var replica = replica();
    define("a");
    widget("w1", "1");
    var indexed = await(replica, define("indexed"));
    assertThat(data(indexed)).containsExactly("indexed1");
    assertThat(indexed.collection(WIDGETS).withField("data.v", "indexed1").count()).isEqualTo(1);
    assertThat(indexed.collection(WIDGETS).all().iterator().next().revision()).isEqualTo(2);
  }

  @Test
  void whatOneDefinitionCannotReadAnotherMay() {
    var replica = replica();
    define("broken");
    var unreadable = await(replica, widget("w1", "1"));
    assertThat(unreadable.collection(WIDGETS).unreadable()).hasSize(1);
    var readable = await(replica, define("a"));
    assertThat(data(readable)).containsExactly("a1");
    assertThat(readable.collection(WIDGETS).unreadable()).isEmpty();
  }

  @Test
  void aWatchIsToldEverythingBeforeItsCollectionGoes() {
    var replica = replica();
    define("a");
    var cursor = replica.watch(WIDGETS, await(replica, 1).revision());
    widget("w1", "1");
    delete(store, WIDGETS + "/a/w1");
    await(replica, delete(store, DEFINITION));
    var told = new ArrayList<EventKind>();
    assertThat(cursor.poll(1, event -> told.add(event.kind()))).isEqualTo(1);
    assertThat(cursor.ended()).isFalse();
    cursor.poll(10, event -> told.add(event.kind()));
    assertThat(told).containsExactly(EventKind.ADDED, EventKind.DELETED);
    assertThat(cursor.ended()).isTrue();
    assertThat(replica.watch(WIDGETS, 4).ended()).isTrue();
  }

  @Test
  void aWatchEndsWhenItsObjectsAreReadInAnotherWay() {
    var replica = replica();
    define("a");
    await(replica, widget("w1", "1"));
    var cursor = replica.watch(WIDGETS, 2);
    await(replica, define("b"));
    assertThat(cursor.poll(10, event -> {})).isZero();
    assertThat(cursor.ended()).isTrue();
    assertThatThrownBy(() -> replica.watch(WIDGETS, 2))
        .isInstanceOf(ReplicaException.Expired.class);
    var next = replica.watch(WIDGETS, 3);
    await(replica, widget("w1", "2"));
    assertThat(next.poll(10, event -> assertThat(Samples.data(event.object())).isEqualTo("b2")))
        .isEqualTo(1);
  }

  @Test
  void aDefinitionThatMakesNoDifferenceLeavesEverythingAlone() {
    var replica = replica();
    define("a");
    var before = await(replica, widget("w1", "1"));
    var cursor = replica.watch(WIDGETS, 2);
    var after = await(replica, define("a"));
    assertThat(after.keySpace()).isSameAs(before.keySpace());
    cursor.poll(10, event -> {});
    assertThat(cursor.ended()).isFalse();
  }

  @Test
  void aDefinitionThatCannotBeFollowedDefinesNothingAndHarmsNobody() {
    var replica = replica();
    define("a");
    widget("w1", "1");
    put(store, NODES + "/gadgets", value("", "gadgets", "a"));
    var bad = await(replica, define("bad"));
    assertThat(bad.storages()).contains("/x/gadgets").doesNotContain(WIDGETS);
    assertThat(replica().fresh().join().storages()).contains("/x/gadgets").doesNotContain(WIDGETS);
    assertThat(data(await(replica, define("b")))).containsExactly("b1");
  }

  @Test
  void oldSnapshotsOfOtherCollectionsStayReadable() {
    var replica = replica();
    Samples.putMap(store, "a", "m", "1");
    define("a");
    widget("w1", "1");
    await(replica, define("b"));
    var old = replica.at(3).orElseThrow();
    assertThat(Samples.data(old.collection(MAPS).get("a", "m"))).isEqualTo("1");
    assertThatThrownBy(old::keySpace).isInstanceOf(ReplicaException.Expired.class);
    assertThatThrownBy(() -> old.collection(WIDGETS)).isInstanceOf(ReplicaException.Expired.class);
    await(replica, delete(store, DEFINITION));
    assertThatThrownBy(() -> replica.at(3).orElseThrow().collection(WIDGETS))
        .isInstanceOf(ReplicaException.Expired.class);
  }

  @Test
  void nothingKeepsTheCollectionThatIsGone() {
    var replica = replica();
    define("a");
    await(replica, widget("w1", "1"));
    var spec = new WeakReference<>(replica.keySpace().collection(WIDGETS));
    await(replica, delete(store, DEFINITION));
    for (int i = 0; i < 100 && spec.get() != null; i++) {
      System.gc();
    }
    assertThat(spec.get()).isNull();
  }

  /** Definitions, objects and raw entries in any order, on a replica that reloads as well. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everySnapshotHasExactlyWhatItsRevisionDefines(long seed) throws Exception {
    var random = new Random(seed);
    var replica = replica();
    Map<String, String> ways = new HashMap<>();
    Map<String, Map<String, String>> stored = new TreeMap<>();
    for (int i = 0; i < 600; i++) {
      var kind = "k" + random.nextInt(3);
      var key = "/x/" + kind + "/a/w" + random.nextInt(5);
      var objects = stored.computeIfAbsent(kind, ignored -> new TreeMap<>());
      long revision;
      switch (random.nextInt(8)) {
        case 0 -> {
          var way = random.nextBoolean() ? "a" : "indexed";
          ways.put(kind, way);
          revision = put(store, NODES + "/" + kind, value("", kind, way));
        }
        case 1 -> {
          ways.remove(kind);
          put(store, NODES + "/" + kind, value("", kind, "a"));
          revision = delete(store, NODES + "/" + kind);
        }
        case 2 -> {
          put(store, key, value("a", key.substring(key.length() - 2), "x"));
          objects.remove(key);
          revision = delete(store, key);
        }
        default -> {
          objects.put(key, "" + i);
          revision = put(store, key, value("a", key.substring(key.length() - 2), "" + i));
        }
      }
      if (random.nextInt(4) == 0) {
        check(await(replica, revision), ways, stored);
      }
      if (random.nextInt(150) == 0) {
        assertThat(replica.check().differences()).isEmpty();
      }
    }
    var last = replica.fresh().join();
    check(last, ways, stored);
    check(replica().fresh().join(), ways, stored);
  }

  private static void check(
      Snapshot snapshot, Map<String, String> ways, Map<String, Map<String, String>> stored) {
    var raw = new ArrayList<String>();
    stored.forEach(
        (kind, objects) -> {
          var way = ways.get(kind);
          if (way == null) {
            raw.addAll(objects.keySet());
            assertThat(snapshot.keySpace().collection("/x/" + kind)).isNull();
          } else {
            assertThat(snapshot.collection("/x/" + kind).all().stream().map(Samples::data))
                .containsExactlyElementsOf(objects.values().stream().map(v -> way + v).toList());
          }
        });
    assertThat(snapshot.rawUnder("/x/")).extracting(entry -> entry.key()).isEqualTo(raw);
  }
}
