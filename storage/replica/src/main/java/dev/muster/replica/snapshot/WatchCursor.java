package dev.muster.replica.snapshot;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Owned by one thread at a time: a place in the shared events of one collection. Costs nobody
 * anything while it is not polled, needs no closing, and has no queue of its own.
 */
public final class WatchCursor {
  private final Supplier<Snapshot> current;
  private final String storage;
  private final long after;
  private final @Nullable CollectionState collectionState;
  private long next;
  private long position;
  private boolean ended;
  private boolean caughtUp;

  /**
   * @param collectionState null when there is no such collection
   * @param next the number of the first event to hand over
   */
  public WatchCursor(
      Supplier<Snapshot> current,
      String storage,
      long after,
      @Nullable CollectionState collectionState,
      long next) {
    this.current = current;
    this.storage = storage;
    this.after = after;
    this.collectionState = collectionState;
    this.next = next;
    this.position = after;
    this.ended = collectionState == null;
  }

  /** Another one at the same place, which hands over events of every revision. */
  public WatchCursor beside() {
    var other = new WatchCursor(current, storage, -1, collectionState, next);
    other.position = position;
    return other;
  }

  /** Whether both are in the events of the very same collection, so that numbers mean the same. */
  public boolean isBeside(WatchCursor other) {
    return collectionState != null
        && other.collectionState != null
        && collectionState.ring() == other.collectionState.ring();
  }

  /** The number of the first event that was not handed over. */
  public long next() {
    return next;
  }

  /**
   * Goes on at that event, all before which have been handed over by another cursor.
   *
   * @param reached the other one's {@link #position}
   */
  public void skipTo(long number, long reached) {
    next = Math.max(next, number);
    position = Math.max(position, reached);
    caughtUp = false;
  }

  /** Whether the last poll handed over everything that had happened by then. */
  public boolean caughtUp() {
    return caughtUp;
  }

  /** Takes events. */
  public interface Sink {
    /** Whether the event was taken; one that was not is handed over again by the next poll. */
    boolean take(WatchEvent event);
  }

  /** Hands over the next events to somebody who takes them all. */
  public int poll(int most, Consumer<WatchEvent> sink) {
    return pollWhile(
        most,
        event -> {
          sink.accept(event);
          return true;
        });
  }

  /**
   * Hands over the next events, each once and in order, without waiting, as long as they are taken;
   * answers how many were.
   *
   * @param most how many at the most
   * @throws ReplicaException.Expired when the next event is not kept any more; the watch must then
   *     start again from a list
   */
  public int pollWhile(int most, Sink sink) {
    var known = collectionState;
    if (known == null) {
      caughtUp = true;
      return 0;
    }
    var snapshot = current.get();
    var now = snapshot.slot(storage);
    boolean closed = now == null || now.ring() != known.ring();
    long end = closed ? known.ring().closedAt() : snapshot.collection(storage).end();
    int count = 0;
    caughtUp = false;
    while (next < end) {
      var event = known.ring().get(next);
      if (event == null) {
        throw new ReplicaException.Expired(position, known.ring().floor());
      }
      boolean wanted = !event.silent() && event.revision() > after;
      if (wanted && (count == most || !sink.take(event))) {
        // The commit of this event may have others that were handed over.
        position = Math.max(position, event.revision() - 1);
        return count;
      }
      next++;
      count += wanted ? 1 : 0;
    }
    caughtUp = true;
    ended = closed;
    if (!closed) {
      position = Math.max(position, snapshot.revision());
    }
    return count;
  }

  /**
   * Whether the collection is gone, or its objects are read in another way by now, and everything
   * that happened before has been handed over: nothing will follow.
   */
  public boolean ended() {
    return ended;
  }

  /** The revision up to which every event of the collection has been handed over. */
  public long position() {
    return position;
  }
}
