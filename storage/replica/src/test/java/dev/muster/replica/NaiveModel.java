package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a replica must show, kept in the simplest way: a map per revision and a list of events. It
 * makes random commits and then knows everything about them.
 */
final class NaiveModel {
  private static final byte[] BROKEN = "{broken".getBytes(StandardCharsets.UTF_8);

  /**
   * What stands under a key.
   *
   * @param text null when it cannot be read
   */
  record Written(long revision, @Nullable String text, @Nullable String label) {}

  /** What a watcher must be told. */
  record Told(long revision, EventKind kind, String key) {
    static Told of(String storage, WatchEvent event) {
      var object = event.subject(event.kind());
      return new Told(event.revision(), event.kind(), storage + "/" + object.name());
    }
  }

  private final Store store;
  private final Random random;
  private final List<SortedMap<String, Written>> states = new ArrayList<>();
  private final Map<String, Written> seen = new TreeMap<>();
  private final List<Told> told = new ArrayList<>();

  NaiveModel(Store store, Random random) {
    this.store = store;
    this.random = random;
    states.add(new TreeMap<>());
  }

  long revision() {
    return states.size() - 1L;
  }

  /** Commits puts and deletes of up to four keys. */
  void commit() {
    var writes = new LinkedHashMap<String, Integer>();
    for (int i = 1 + random.nextInt(10) / 7 * random.nextInt(4); i > 0; i--) {
      writes.put(key(), random.nextInt(100));
    }
    var state = new TreeMap<>(states.getLast());
    long revision = states.size();
    var operations = new ArrayList<Operation>();
    writes.forEach(
        (key, what) -> {
          if (what < 25 && state.containsKey(key)) {
            operations.add(new Operation.Delete(key, Operation.ANY));
            state.remove(key);
          } else {
            var written =
                what < 30
                    ? new Written(revision, null, null)
                    : new Written(revision, "v" + revision, "l" + what % 3);
            operations.add(new Operation.Put(key, value(key, written), Operation.ANY));
            state.put(key, written);
          }
          report(key, state.get(key), revision);
        });
    assertThat(Samples.commit(store, operations.toArray(new Operation[0]))).isEqualTo(revision);
    states.add(state);
  }

  private void report(String key, @Nullable Written now, long revision) {
    if (now != null && now.text() == null) {
      return;
    }
    var before = now == null ? seen.remove(key) : seen.put(key, now);
    if (now != null) {
      var kind = before == null ? EventKind.ADDED : EventKind.MODIFIED;
      told.add(new Told(revision, kind, key));
    } else if (before != null) {
      told.add(new Told(revision, EventKind.DELETED, key));
    }
  }

  private String key() {
    int name = random.nextInt(12);
    return switch (random.nextInt(4)) {
      case 0 -> Samples.NODES + "/n" + name;
      case 1 -> "/leases/" + name;
      default -> Samples.MAPS + "/" + List.of("a", "a-b", "b").get(random.nextInt(3)) + "/m" + name;
    };
  }

  private static byte[] value(String key, Written written) {
    var text = written.text();
    var label = written.label();
    if (text == null || label == null) {
      return BROKEN;
    }
    var place = Samples.KEYS.locate(key);
    return place == null
        ? text.getBytes(StandardCharsets.UTF_8)
        : JsonWriter.bytes(
            Samples.object(
                place.name().namespace(), place.name().name(), Map.of("label", label), text));
  }

  /** What a watch of that collection after that revision must be told, up to another. */
  List<Told> told(String storage, long after, long upTo) {
    return told.stream()
        .filter(event -> event.key().startsWith(storage + "/"))
        .filter(event -> event.revision() > after && event.revision() <= upTo)
        .toList();
  }

  /** Fails unless the snapshot is exactly the state at its revision. */
  void check(Snapshot snapshot, boolean raw) {
    var state = states.get((int) snapshot.revision());
    for (var storage : List.of(Samples.MAPS, Samples.NODES)) {
      check(snapshot.collection(storage), under(state, storage + "/"), storage);
    }
    if (raw) {
      var entries = new TreeMap<String, Long>();
      snapshot.rawUnder("/").forEach(entry -> entries.put(entry.key(), entry.modRevision()));
      var expected = new TreeMap<String, Long>();
      under(state, "/leases/").forEach((key, value) -> expected.put(key, value.revision()));
      assertThat(entries).isEqualTo(expected);
    }
  }

  private static SortedMap<String, Written> under(SortedMap<String, Written> state, String start) {
    return state.subMap(start, start + "\uffff");
  }

  private static void check(
      Collection collection, SortedMap<String, Written> state, String storage) {
    var shown = new LinkedHashMap<String, Written>();
    for (var object : collection.all()) {
      var text = Samples.data(object);
      var key = storage + "/" + object.name();
      shown.put(key, new Written(object.revision(), text, object.label("label")));
    }
    var expected = new LinkedHashMap<>(state);
    expected.values().removeIf(written -> written.text() == null);
    assertThat(List.copyOf(shown.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
    assertThat(collection.size()).isEqualTo(expected.size());
    assertThat(collection.unreadable().stream().map(UnreadableObject::key))
        .containsExactlyElementsOf(
            state.keySet().stream().filter(key -> !expected.containsKey(key)).toList());
    for (var namespace : List.of("a", "a-b", "b", "c")) {
      assertThat(collection.in(namespace).count())
          .isEqualTo(
              (int)
                  expected.keySet().stream()
                      .filter(key -> key.startsWith(storage + "/" + namespace + "/"))
                      .count());
    }
    for (var label : List.of("l0", "l1", "l2")) {
      assertThat(collection.withLabel("label", label, null).count())
          .isEqualTo(
              (int)
                  expected.values().stream()
                      .filter(written -> label.equals(written.label()))
                      .count());
    }
  }
}
