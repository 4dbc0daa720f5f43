package dev.muster.replica;

import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.CollectionState;
import dev.muster.replica.snapshot.EventRing;
import dev.muster.replica.snapshot.HistoryLimits;
import dev.muster.replica.snapshot.KeySpaceSince;
import dev.muster.replica.snapshot.RawEntries;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.snapshot.WatchEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a replica that threads share, without its threads and without objects: small enough
 * to try interleavings. It does in {@link #commit} what the applier does for a commit.
 */
class TinyReplica {
  static final String THINGS = "/things";

  private static final CollectionSpec SPEC = new CollectionSpec(THINGS, Samples.DECODER, List.of());
  private static final KeySpace KEYS = new PlainKeys(List.of(SPEC), Set.of());

  private static final StoredObject THING = Samples.stored("", "x", Map.of(), 1);
  private static final HistoryLimits MEMORY = HistoryLimits.from(0);

  final EventRing ring = new EventRing(0);
  final CollectionState slot = new CollectionState(0, SPEC, ring);
  private final Map<String, CollectionState> slots = Map.of(THINGS, slot);
  private long revision;
  volatile @Nullable Snapshot current;
  final RevisionWaiters waiters = new RevisionWaiters(() -> current);

  /** A replica with so many events. */
  TinyReplica(int events) {
    for (int i = 0; i < events; i++) {
      commit();
    }
  }

  /** Applies and publishes one more commit. */
  long commit() {
    revision++;
    ring.append(new WatchEvent(ring.tail(), revision, 0, THING, THING, null));
    var collection = Collection.EMPTY.at(revision, ring.tail());
    publish(
        new Snapshot(
            new KeySpaceSince(KEYS, 0),
            revision,
            slots,
            new Collection[] {collection},
            RawEntries.NONE,
            MEMORY));
    return revision;
  }

  void publish(Snapshot snapshot) {
    current = snapshot;
    waiters.serve(snapshot);
  }

  Snapshot snapshot() {
    return Objects.requireNonNull(current);
  }

  WatchCursor watch(long after) {
    var snapshot = snapshot();
    long next = ring.firstAfter(after, snapshot.collection(THINGS).end());
    if (next < 0) {
      throw new ReplicaException.Expired(after, ring.floor());
    }
    return new WatchCursor(this::snapshot, THINGS, after, slot, next);
  }

  /** Polls and says what came. */
  static String poll(WatchCursor cursor, int most) {
    var told = new long[8];
    int[] count = {0};
    try {
      cursor.poll(most, event -> told[count[0]++] = event.revision());
    } catch (ReplicaException.Expired expired) {
      return "expired";
    }
    return Arrays.toString(told) + " at " + cursor.position();
  }
}
