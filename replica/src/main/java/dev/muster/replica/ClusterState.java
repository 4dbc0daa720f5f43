package dev.muster.replica;

import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Owned by the applier thread: the state that the next snapshot is taken of. Every commit replaces
 * the immutable collections that it changes and appends to their rings.
 */
final class ClusterState {
  private final KeySpace keySpace;
  private final Decoding decoding;
  private final ReplicaOptions options;
  private final List<Collection> collections = new ArrayList<>();
  private Map<String, Slot> slots = new HashMap<>();
  private boolean slotsShared;
  private SortedTree<Entry> raw = SortedTree.empty(Order.BY_KEY);
  private long rawChanged;
  private long revision;
  private volatile long events;
  private volatile long eventBytes;
  private Memory memory = Memory.from(0);

  ClusterState(KeySpace keySpace, Decoding decoding, ReplicaOptions options) {
    this.keySpace = keySpace;
    this.decoding = decoding;
    this.options = options;
  }

  long revision() {
    return revision;
  }

  long events() {
    return events;
  }

  long eventBytes() {
    return eventBytes;
  }

  Snapshot snapshot() {
    slotsShared = true;
    return new Snapshot(
        keySpace, revision, slots, collections.toArray(new Collection[0]), raw, rawChanged, memory);
  }

  /** Takes over the first image. */
  void load(LoadedImage image) {
    revision = image.revision();
    memory = Memory.from(revision);
    raw = SortedTree.of(Order.BY_KEY, image.raw());
    rawChanged = revision;
    image.groups().forEach((storage, group) -> set(slot(storage), collection(storage, group)));
  }

  /** Takes over a later image, without the commits in between. */
  void reload(LoadedImage image) {
    long since = revision;
    revision = image.revision();
    memory = memory.skip(since, revision);
    raw = SortedTree.of(Order.BY_KEY, image.raw());
    rawChanged = revision;
    var storages = new HashSet<>(slots.keySet());
    storages.addAll(image.groups().keySet());
    for (var storage : storages) {
      var group = image.groups().getOrDefault(storage, new LoadedImage.Group());
      var slot = slot(storage);
      var steps = ImageDifference.between(get(slot), group, since);
      if (steps.isPresent()) {
        for (var step : steps.get()) {
          record(slot, get(slot), step.object(), step.previous(), step.object().revision());
        }
      } else {
        slot.ring().breakOff(revision);
        set(slot, collection(storage, group));
      }
    }
  }

  private Collection collection(String storage, LoadedImage.Group group) {
    var lost = group.unreadable().stream().map(object -> new Lost(object, null)).toList();
    return Collection.of(
        group.objects(), lost, decoding.fields(storage), revision, slot(storage).ring().tail());
  }

  /** Applies the next commit of the log. */
  void apply(Commit commit) {
    revision = commit.revision();
    for (var change : commit.changes()) {
      var place = keySpace.locate(change.key());
      if (place == null) {
        applyRaw(change);
      } else {
        apply(change, place);
      }
    }
  }

  private void applyRaw(Change change) {
    var value = change.value();
    raw =
        value == null
            ? raw.remove(Probe.of("", change.key()))
            : raw.put(new Entry(change.key(), value, revision));
    rawChanged = revision;
  }

  private void apply(Change change, KeySpace.Place place) {
    var slot = slot(place.storage());
    var before = get(slot);
    var previous = before.readable(place.name());
    var lost = before.lost(place.name());
    var value = change.value();
    if (value == null) {
      if (lost != null) {
        record(slot, before.without(lost), null, lost.last(), revision);
      } else if (previous != null) {
        record(slot, before, null, previous, revision);
      }
      return;
    }
    var outcome = decoding.decode(place, change.key(), value, revision);
    var unreadable = outcome.unreadable();
    if (unreadable != null) {
      lose(slot, before, unreadable, lost == null ? previous : lost.last());
    } else if (lost != null) {
      record(slot, before.without(lost), outcome.object(), lost.last(), revision);
    } else {
      record(slot, before, outcome.object(), previous, revision);
    }
  }

  /**
   * Tells watchers of a change and makes it. With both objects absent, one that was never readable
   * has gone: they hear nothing.
   *
   * @param cleared the collection without the unreadable object that this change replaces
   */
  private void record(
      Slot slot,
      Collection cleared,
      @Nullable StoredObject object,
      @Nullable StoredObject previous,
      long at) {
    var before = get(slot);
    var ring = slot.ring();
    boolean keep = cleared != before || slot.keeps(ring.tail());
    append(
        ring,
        new WatchEvent(
            ring.tail(), at, options.clock().millis(), object, previous, keep ? before : null));
    set(slot, cleared.changed(previous, object, at, ring.tail()));
  }

  /** An object has become unreadable: it leaves the collection, and watchers are not told. */
  private void lose(
      Slot slot, Collection before, UnreadableObject object, @Nullable StoredObject last) {
    var ring = slot.ring();
    append(
        ring, new WatchEvent(ring.tail(), revision, options.clock().millis(), null, null, before));
    set(slot, before.with(new Lost(object, last)).changed(last, null, revision, ring.tail()));
  }

  /** Makes objects of the raw entries under that prefix that the key space knows by now. */
  void adopt(String prefix) {
    var rest = raw;
    var groups = new HashMap<String, LoadedImage.Group>();
    for (var entry : snapshot().rawUnder(prefix)) {
      var place = keySpace.locate(entry.key());
      if (place == null) {
        continue;
      }
      rest = rest.remove(Probe.of("", entry.key()));
      var outcome = decoding.decode(place, entry.key(), entry.value(), entry.modRevision());
      var group = groups.computeIfAbsent(place.storage(), _ -> new LoadedImage.Group());
      if (outcome.object() != null) {
        group.objects().add(outcome.object());
      } else if (outcome.unreadable() != null) {
        group.unreadable().add(outcome.unreadable());
      }
    }
    raw = rest;
    groups.forEach(this::adopt);
  }

  private void adopt(String storage, LoadedImage.Group group) {
    var slot = slot(storage);
    slot.ring().breakOff(revision);
    var old = get(slot);
    old.all().forEach(group.objects()::add);
    group.objects().sort((a, b) -> Order.BY_NAME.compare(Order.BY_NAME.probe(a), b));
    var changed = collection(storage, group);
    for (var lost : old.allLost()) {
      changed = changed.with(lost);
    }
    set(slot, changed);
  }

  /** Adds an event to its collection's ring, at the cost of the oldest where there are too many. */
  private void append(EventRing ring, WatchEvent event) {
    long count = events - ring.count();
    long bytes = eventBytes - ring.bytes();
    ring.append(event);
    if (ring.count() > options.events()) {
      ring.trim(options.events(), Long.MIN_VALUE);
    }
    events = count + ring.count();
    eventBytes = bytes + ring.bytes();
    while (eventBytes > options.eventBytes()) {
      heaviest().trimTenth();
      countEvents();
    }
  }

  /** Drops events that are too old. */
  void trim() {
    long since = options.clock().millis() - options.eventAge().toMillis();
    for (var slot : slots.values()) {
      slot.ring().trim(options.events(), since);
    }
    countEvents();
  }

  private void countEvents() {
    long count = 0;
    long bytes = 0;
    for (var slot : slots.values()) {
      count += slot.ring().count();
      bytes += slot.ring().bytes();
    }
    events = count;
    eventBytes = bytes;
  }

  private EventRing heaviest() {
    EventRing heaviest = null;
    for (var slot : slots.values()) {
      if (heaviest == null || slot.ring().bytes() > heaviest.bytes()) {
        heaviest = slot.ring();
      }
    }
    return Objects.requireNonNull(heaviest);
  }

  /** Makes and drops label indexes; answers whether anything changed. */
  boolean indexLabels(boolean review) {
    boolean any = false;
    for (var slot : slots.values()) {
      var collection = get(slot);
      var indexed = collection.labelIndexes();
      if (indexed.isEmpty() && collection.demand().isIdle()) {
        continue;
      }
      var wanted = collection.demand().wanted(collection.size(), indexed, review);
      if (!wanted.equals(indexed)) {
        set(slot, collection.indexed(wanted));
        any = true;
      }
    }
    return any;
  }

  private Slot slot(String storage) {
    var slot = slots.get(storage);
    if (slot == null) {
      if (slotsShared) {
        slots = new HashMap<>(slots);
        slotsShared = false;
      }
      var fields = decoding.fields(storage);
      slot = new Slot(collections.size(), storage, fields, new EventRing(memory.start()));
      slots.put(storage, slot);
      collections.add(Collection.of(List.of(), List.of(), fields, memory.start(), 0));
    }
    return slot;
  }

  private Collection get(Slot slot) {
    return collections.get(slot.number());
  }

  private void set(Slot slot, Collection collection) {
    collections.set(slot.number(), collection);
  }
}
