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
 * Owned by the applier thread, but for the counts: which collection stands at which number, and the
 * history of all of them, as much of it as the options allow.
 */
final class CollectionTable {
  private final ReplicaOptions options;
  private final List<Collection> collections = new ArrayList<>();

  /** Places in {@link #collections} that nobody has any more. */
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

  /** The slots by storage, for a snapshot: they do not change any more. */
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

  /** A place for a collection, empty as yet, whose history begins at that revision. */
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

  /** The slots, which no snapshot has. */
  private Map<String, CollectionState> own() {
    if (slotsShared) {
      slots = new HashMap<>(slots);
      slotsShared = false;
    }
    return slots;
  }

  /** Adds an event to its collection's ring, at the cost of the oldest where there are too many. */
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

  /** Drops events that are too old. */
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

  /** Makes and drops label indexes; answers whether anything changed. */
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
