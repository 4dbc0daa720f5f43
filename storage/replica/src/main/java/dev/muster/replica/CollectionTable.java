package dev.muster.replica;

import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.CollectionState;
import dev.muster.replica.snapshot.EventRing;
import dev.muster.replica.snapshot.WatchEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maps stored resources to the numbers of their collections, and bounds the event history of all
 * collections by the options. Only the applier thread uses it; any thread may read the counts.
 */
final class CollectionTable {
  private final ReplicaOptions options;
  private final List<Collection> collections = new ArrayList<>();

  /** Unused numbers in {@link #collections}. */
  private final Deque<Integer> free = new ArrayDeque<>();

  private Map<String, CollectionState> slots = new HashMap<>();
  private boolean slotsShared;
  private volatile long events;
  private volatile long eventBytes;

  CollectionTable(ReplicaOptions options) {
    this.options = options;
  }

  long events() {
    return events;
  }

  long eventBytes() {
    return eventBytes;
  }

  /**
   * The collection states by storage location, for a snapshot. The returned map never changes
   * again.
   */
  Map<String, CollectionState> shareSlots() {
    slotsShared = true;
    return slots;
  }

  /** The collections by number, for a snapshot. */
  Collection[] copyCollections() {
    return collections.toArray(new Collection[0]);
  }

  List<String> storages() {
    return List.copyOf(slots.keySet());
  }

  @Nullable CollectionState slot(String storage) {
    return slots.get(storage);
  }

  Collection get(CollectionState collectionState) {
    return collections.get(collectionState.number());
  }

  void set(CollectionState collectionState, Collection collection) {
    collections.set(collectionState.number(), collection);
  }

  /** Adds an empty collection, whose history begins at that revision. */
  CollectionState open(CollectionSpec spec, long revision) {
    var reused = free.poll();
    if (reused == null) {
      collections.add(Collection.EMPTY);
    }
    int number = reused == null ? collections.size() - 1 : reused;
    var collectionState = new CollectionState(number, spec, new EventRing(revision));
    own().put(spec.storage(), collectionState);
    return collectionState;
  }

  /** Ends collections and their watches. */
  void close(Iterable<CollectionState> ended) {
    for (var collectionState : ended) {
      close(collectionState);
    }
    countEvents();
  }

  private void close(CollectionState collectionState) {
    collectionState.ring().close();
    own().remove(collectionState.storage());
    collections.set(collectionState.number(), Collection.EMPTY);
    free.add(collectionState.number());
  }

  /** The collection states in a map that no snapshot shares. */
  private Map<String, CollectionState> own() {
    if (slotsShared) {
      slots = new HashMap<>(slots);
      slotsShared = false;
    }
    return slots;
  }

  /** Appends an event to a ring, and drops the oldest events beyond the limits. */
  void append(EventRing ring, WatchEvent event) {
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

  /** Drops events that are older than the event age. */
  void trim() {
    long since = options.clock().millis() - options.eventAge().toMillis();
    for (var collectionState : slots.values()) {
      collectionState.ring().trim(options.events(), since);
    }
    countEvents();
  }

  private void countEvents() {
    long count = 0;
    long bytes = 0;
    for (var collectionState : slots.values()) {
      count += collectionState.ring().count();
      bytes += collectionState.ring().bytes();
    }
    events = count;
    eventBytes = bytes;
  }

  private EventRing heaviest() {
    EventRing heaviest = null;
    for (var collectionState : slots.values()) {
      if (heaviest == null || collectionState.ring().bytes() > heaviest.bytes()) {
        heaviest = collectionState.ring();
      }
    }
    return Objects.requireNonNull(heaviest);
  }

  /** Creates and drops label indexes; returns whether anything changed. */
  boolean indexLabels(boolean review) {
    boolean any = false;
    for (var collectionState : slots.values()) {
      var collection = get(collectionState);
      var indexed = collection.labelIndexes();
      if (indexed.isEmpty() && collection.demand().isIdle()) {
        continue;
      }
      var wanted = collection.demand().wanted(collection.size(), indexed, review);
      if (!wanted.equals(indexed)) {
        set(collectionState, collection.indexed(wanted));
        any = true;
      }
    }
    return any;
  }
}
