package dev.muster.replica.snapshot;

import dev.muster.replica.keyspace.KeySpace;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The whole cluster at one revision. Immutable. */
public final class Snapshot {
  private final KeySpaceSince keySpace;
  private final long revision;
  private final long published;
  private final Map<String, CollectionState> slots;
  private final Collection[] collections;
  private final RawEntries raw;
  private final HistoryLimits memory;

  /**
   * @param slots the caller must not change it afterwards
   * @param collections by collection number; the caller must not change it afterwards
   */
  public Snapshot(
      KeySpaceSince keySpace,
      long revision,
      Map<String, CollectionState> slots,
      Collection[] collections,
      RawEntries raw,
      HistoryLimits memory) {
    this(keySpace, revision, revision, slots, collections, raw, memory);
  }

  private Snapshot(
      KeySpaceSince keySpace,
      long revision,
      long published,
      Map<String, CollectionState> slots,
      Collection[] collections,
      RawEntries raw,
      HistoryLimits memory) {
    this.keySpace = keySpace;
    this.revision = revision;
    this.published = published;
    this.slots = slots;
    this.collections = collections;
    this.raw = raw;
    this.memory = memory;
  }

  /** The cluster at an earlier revision. */
  public Snapshot at(long earlier) {
    return new Snapshot(keySpace, earlier, published, slots, collections, raw, memory);
  }

  public long revision() {
    return revision;
  }

  /**
   * The key space at this revision.
   *
   * @throws ReplicaException.Expired when this is an old snapshot and the key space has changed
   *     since
   */
  public KeySpace keySpace() {
    checkKeySpace();
    return keySpace.keySpace();
  }

  private void checkKeySpace() {
    if (keySpace.changed() > revision) {
      throw new ReplicaException.Expired(revision, keySpace.changed());
    }
  }

  /**
   * The objects at that storage location ({@code /configmaps}, {@code /services/specs}); empty when
   * the key space has no such collection.
   *
   * @throws ReplicaException.Expired when this is an old snapshot and the ring has dropped events
   *     since, or the collection no longer exists
   */
  public Collection collection(String storage) {
    var collectionState = slots.get(storage);
    if (collectionState == null) {
      checkKeySpace();
      return Collection.EMPTY;
    }
    var collection = collections[collectionState.number()];
    return revision == published ? collection : collectionState.at(collection, revision);
  }

  /**
   * This snapshot with a fixed copy of that collection, which stays readable even when the ring
   * drops events.
   *
   * @throws ReplicaException.Expired as {@link #collection} does
   */
  public Snapshot keeping(String storage) {
    var collectionState = slots.get(storage);
    var collection = collection(storage);
    if (collectionState == null || collection == collections[collectionState.number()]) {
      return this;
    }
    var kept = collections.clone();
    kept[collectionState.number()] = collection;
    return new Snapshot(keySpace, revision, published, slots, kept, raw, memory);
  }

  public @Nullable CollectionState slot(String storage) {
    return slots.get(storage);
  }

  public HistoryLimits memory() {
    return memory;
  }

  public java.util.Collection<CollectionState> slots() {
    return slots.values();
  }

  /** The storage locations of all collections. */
  public Set<String> storages() {
    return Collections.unmodifiableSet(slots.keySet());
  }

  /** The storage locations of the collections that differ from an earlier snapshot. */
  public List<String> changedSince(Snapshot before) {
    var changed = new ArrayList<String>();
    for (var collectionState : slots.values()) {
      int number = collectionState.number();
      if (number >= before.collections.length
          || collections[number] != before.collections[number]) {
        changed.add(collectionState.storage());
      }
    }
    return changed;
  }

  /**
   * The entry under a key that is not an API object's, or null.
   *
   * @throws ReplicaException.Expired when this is an old snapshot and raw entries changed since
   */
  public @Nullable Entry raw(String key) {
    checkRaw();
    return raw.get(key);
  }

  /**
   * The entries that are not API objects and whose key has that prefix, in key order.
   *
   * @throws ReplicaException.Expired when this is an old snapshot and raw entries changed since
   */
  public List<Entry> rawUnder(String prefix) {
    checkRaw();
    return raw.under(prefix);
  }

  private void checkRaw() {
    if (raw.changed() > revision) {
      throw new ReplicaException.Expired(revision, raw.changed());
    }
  }

  public RawEntries raw() {
    return raw;
  }

  public long objects() {
    long objects = 0;
    for (var collection : collections) {
      objects += collection.size();
    }
    return objects;
  }

  public int unreadable() {
    int unreadable = 0;
    for (var collection : collections) {
      unreadable += collection.unreadableCount();
    }
    return unreadable;
  }
}
