package dev.muster.replica;

import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.CollectionState;
import dev.muster.replica.snapshot.HistoryLimits;
import dev.muster.replica.snapshot.KeySpaceSince;
import dev.muster.replica.snapshot.LastReadableObject;
import dev.muster.replica.snapshot.ObjectOrder;
import dev.muster.replica.snapshot.RawEntries;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The mutable state from which the applier takes the next snapshot. Every commit replaces the
 * immutable collections that it changes and appends to their rings. Only the applier thread uses
 * it.
 */
final class ClusterState {
  private final DefinedKeySpace definitions;
  private final Decoding decoding;
  private final ReplicaOptions options;
  private final CollectionTable table;
  private KeySpace keySpace;
  private long keySpaceChanged;
  private RawEntries raw = RawEntries.NONE;
  private long revision;
  private HistoryLimits memory = HistoryLimits.from(0);

  ClusterState(
      KeySpace first, KeySpaceDefinitions definitions, Decoding decoding, ReplicaOptions options) {
    this.keySpace = first;
    this.definitions = new DefinedKeySpace(definitions);
    this.decoding = decoding;
    this.options = options;
    this.table = new CollectionTable(options);
  }

  long revision() {
    return revision;
  }

  CollectionTable table() {
    return table;
  }

  Snapshot snapshot() {
    return new Snapshot(
        new KeySpaceSince(keySpace, keySpaceChanged),
        revision,
        table.shareSlots(),
        table.copyCollections(),
        raw,
        memory);
  }

  /** Fills the state from the first image. */
  void load(LoadedImage image) {
    revision = image.revision();
    memory = HistoryLimits.from(revision);
    raw = RawEntries.of(image.raw(), revision);
    keySpace = image.keySpace();
    keySpaceChanged = revision;
    for (var spec : keySpace.collections()) {
      open(spec, image.groups().getOrDefault(spec.storage(), new LoadedImage.Group()));
    }
  }

  /** The key space that follows from the definitions in an image. */
  KeySpace keySpaceOf(Map<String, LoadedImage.Group> groups) {
    var changes = new ArrayList<KeySpaceDefinitions.Change>();
    for (var storage : definitions.storages()) {
      var collectionState = table.slot(storage);
      var group = groups.getOrDefault(storage, new LoadedImage.Group());
      changes.addAll(
          DefinedKeySpace.changes(
              collectionState == null ? null : table.get(collectionState), group.objects()));
    }
    return definitions.after(keySpace, changes);
  }

  /** Replaces the state with a later image, without the commits in between. */
  void reload(LoadedImage image) {
    long since = revision;
    revision = image.revision();
    memory = memory.skip(since, revision);
    raw = RawEntries.of(image.raw(), revision);
    if (image.keySpace() != keySpace) {
      keySpace = image.keySpace();
      keySpaceChanged = revision;
      close(table.storages());
    }
    for (var spec : keySpace.collections()) {
      var group = image.groups().getOrDefault(spec.storage(), new LoadedImage.Group());
      var collectionState = table.slot(spec.storage());
      if (collectionState == null) {
        open(spec, group);
        continue;
      }
      var steps = ImageDifference.between(table.get(collectionState), group, since);
      if (steps.isPresent()) {
        for (var step : steps.get()) {
          record(
              collectionState,
              table.get(collectionState),
              step.object(),
              step.previous(),
              step.object().revision());
        }
      } else {
        collectionState.ring().breakOff(revision);
        table.set(collectionState, collection(collectionState, group));
      }
    }
  }

  private Collection collection(CollectionState collectionState, LoadedImage.Group group) {
    return Collection.of(
        group.objects(),
        group.lost(),
        collectionState.spec().indexes(),
        revision,
        collectionState.ring().tail());
  }

  /** Applies the next commit of the log. */
  void apply(Commit commit) {
    revision = commit.revision();
    boolean defines = definitions.isChangedBy(commit);
    if (defines) {
      define(commit);
    }
    for (var change : commit.changes()) {
      if (defines && definitions.isDefinition(change.key())) {
        continue;
      }
      var place = keySpace.locate(change.key());
      if (place == null) {
        applyRaw(change);
      } else {
        apply(change, place);
      }
    }
  }

  /**
   * Applies the changed definitions first, because they decide how the commit's other keys are
   * read.
   */
  private void define(Commit commit) {
    var changes = new ArrayList<KeySpaceDefinitions.Change>();
    for (var change : commit.changes()) {
      var place = definitions.isDefinition(change.key()) ? keySpace.locate(change.key()) : null;
      if (place != null) {
        var collectionState = slot(place);
        var before = table.get(collectionState).readable(place.name());
        apply(change, place);
        changes.add(
            new KeySpaceDefinitions.Change(
                before, table.get(collectionState).readable(place.name())));
      }
    }
    var next = definitions.after(keySpace, changes);
    if (next != keySpace) {
      redefine(next);
    }
  }

  /**
   * Switches to another key space. Entries without a collection become raw entries. Collections
   * whose definition changed decode their objects again at once.
   */
  private void redefine(KeySpace next) {
    var changed = next.changedSince(keySpace);
    keySpace = next;
    keySpaceChanged = revision;
    raw = raw.at(revision);
    var values = close(changed);
    for (var storage : changed) {
      var spec = next.collection(storage);
      if (spec != null && table.slot(storage) == null) {
        var stored = new ArrayList<>(values.getOrDefault(spec.storage(), List.of()));
        values.remove(spec.storage());
        for (var entry : raw.under(spec.storage() + "/")) {
          stored.add(entry);
          raw = raw.without(entry.key(), revision);
        }
        open(spec, decoded(spec, stored));
      }
    }
    for (var entries : values.values()) {
      entries.forEach(entry -> raw = raw.with(entry, revision));
    }
  }

  /**
   * Closes the collections that the new key space defines otherwise, with their watches; returns
   * their entries.
   */
  private Map<String, List<Entry>> close(Iterable<String> storages) {
    var values = new HashMap<String, List<Entry>>();
    var ended = new ArrayList<CollectionState>();
    for (var storage : storages) {
      var collectionState = table.slot(storage);
      if (collectionState == null || collectionState.spec() == keySpace.collection(storage)) {
        continue;
      }
      var collection = table.get(collectionState);
      var entries = new ArrayList<Entry>();
      for (var object : collection.all()) {
        var key = collectionState.storage() + "/" + object.name();
        entries.add(new Entry(key, object.value(), object.revision(), object.sealing()));
      }
      for (var lost : collection.allLost()) {
        entries.add(Objects.requireNonNull(lost.entry()));
      }
      values.put(storage, entries);
      ended.add(collectionState);
    }
    if (!ended.isEmpty()) {
      table.close(ended);
    }
    return values;
  }

  private LoadedImage.Group decoded(CollectionSpec spec, List<Entry> stored) {
    var group = new LoadedImage.Group();
    for (var entry : stored) {
      var place = keySpace.locate(entry.key());
      if (place == null || place.collection() != spec) {
        raw = raw.with(entry, revision);
      } else {
        group.add(decoding.decode(place, entry));
      }
    }
    group.objects().sort((a, b) -> ObjectOrder.BY_NAME.compare(ObjectOrder.BY_NAME.probe(a), b));
    return group;
  }

  private void applyRaw(Change change) {
    var value = change.value();
    raw =
        value == null
            ? raw.without(change.key(), revision)
            : raw.with(new Entry(change.key(), value, revision, change.sealing()), revision);
  }

  private void apply(Change change, KeySpace.KeyLocation place) {
    var collectionState = slot(place);
    var before = table.get(collectionState);
    var previous = before.readable(place.name());
    var lost = before.lost(place.name());
    var value = change.value();
    if (value == null) {
      if (lost != null) {
        record(collectionState, before.without(lost), null, lost.last(), revision);
      } else if (previous != null) {
        record(collectionState, before, null, previous, revision);
      }
      return;
    }
    var outcome =
        decoding.decode(place, new Entry(change.key(), value, revision, change.sealing()));
    var unreadable = outcome.lost();
    if (unreadable != null) {
      lose(collectionState, before, unreadable.after(lost == null ? previous : lost.last()));
    } else if (lost != null) {
      record(collectionState, before.without(lost), outcome.object(), lost.last(), revision);
    } else {
      record(collectionState, before, outcome.object(), previous, revision);
    }
  }

  /**
   * Records a change for watchers and applies it. Both objects are null when an object that was
   * never readable is deleted; watchers see no event then.
   *
   * @param cleared the collection without the unreadable object that this change replaces
   */
  private void record(
      CollectionState collectionState,
      Collection cleared,
      @Nullable StoredObject object,
      @Nullable StoredObject previous,
      long at) {
    var before = table.get(collectionState);
    var ring = collectionState.ring();
    boolean keep = cleared != before || collectionState.keeps(ring.tail());
    table.append(
        ring,
        new WatchEvent(
            ring.tail(), at, options.clock().millis(), object, previous, keep ? before : null));
    table.set(collectionState, cleared.changed(previous, object, at, ring.tail()));
  }

  /**
   * An object has become unreadable: removes it from the collection without an event for watchers.
   */
  private void lose(CollectionState collectionState, Collection before, LastReadableObject lost) {
    var ring = collectionState.ring();
    table.append(
        ring, new WatchEvent(ring.tail(), revision, options.clock().millis(), null, null, before));
    table.set(collectionState, before.with(lost).changed(lost.last(), null, revision, ring.tail()));
  }

  private void open(CollectionSpec spec, LoadedImage.Group group) {
    var collectionState = table.open(spec, revision);
    table.set(collectionState, collection(collectionState, group));
  }

  private CollectionState slot(KeySpace.KeyLocation place) {
    return Objects.requireNonNull(table.slot(place.storage()), place.storage());
  }
}
