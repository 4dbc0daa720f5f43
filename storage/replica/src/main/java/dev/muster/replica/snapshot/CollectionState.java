package dev.muster.replica.snapshot;

import dev.muster.replica.keyspace.CollectionSpec;
import java.util.ArrayList;

/**
 * What belongs to a collection over all its revisions.
 *
 * @param number its place in every snapshot
 */
public record CollectionState(int number, CollectionSpec spec, EventRing ring) {
  /** Every so many events one keeps the collection as it was before. */
  private static final int LOOK_BACK = 16;

  public String storage() {
    return spec.storage();
  }

  /** Whether the event of that number keeps the collection as it was before. */
  public boolean keeps(long sequence) {
    return sequence % LOOK_BACK == 0;
  }

  /**
   * This collection as it was at an earlier revision: the next version that was kept after that
   * revision, with the events in between undone.
   *
   * @param now a later version of it
   * @throws ReplicaException.Expired when too much has happened since
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
