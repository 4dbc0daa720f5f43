package dev.muster.replica.snapshot;

import dev.muster.replica.keyspace.CollectionSpec;
import java.util.ArrayList;

/**
 * The parts of a collection that stay the same over all its revisions.
 *
 * @param number the index of the collection in every snapshot
 */
public record CollectionState(int number, CollectionSpec spec, EventRing ring) {
  /** One event in this many keeps the collection as it was before the event. */
  private static final int LOOK_BACK = 16;

  public String storage() {
    return spec.storage();
  }

  /** Whether the event of that number keeps the collection as it was before the event. */
  public boolean keeps(long sequence) {
    return sequence % LOOK_BACK == 0;
  }

  /**
   * The collection as it was at an earlier revision. Starts from the next version that an event has
   * kept after that revision, and undoes the events in between.
   *
   * @param now a later version of the collection
   * @throws ReplicaException.Expired when the ring has dropped events that are needed
   */
  Collection at(Collection now, long revision) {
    if (now.changed() <= revision) {
      return now;
    }
    long first = ring.firstAfter(revision, now.end());
    var undone = new ArrayList<WatchEvent>();
    var state = now;
    for (long sequence = first; sequence < now.end(); sequence++) {
      var event = first < 0 ? null : ring.get(sequence);
      if (event == null) {
        throw new ReplicaException.Expired(revision, ring.floor());
      }
      var before = event.before();
      if (before != null) {
        state = before;
        break;
      }
      undone.add(event);
    }
    for (var event : undone.reversed()) {
      state = state.changed(event.object(), event.previous(), revision, event.sequence());
    }
    return state;
  }
}
