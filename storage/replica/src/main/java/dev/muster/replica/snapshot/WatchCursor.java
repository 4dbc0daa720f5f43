package dev.muster.replica.snapshot;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of one watch in the shared ring of a collection. It has no queue, costs nothing between
 * polls and needs no closing. Only one thread at a time may use it.
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
   * @param collectionState null when the collection does not exist
   * @param next the number of the first event to return
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

  /** A new cursor at the same place, which returns events of every revision. */
  public WatchCursor beside() {
    var other = new WatchCursor(current, storage, -1, collectionState, next);
    other.position = position;
    return other;
  }

  /** Whether both cursors read the same ring, so that their event numbers are comparable. */
  public boolean isBeside(WatchCursor other) {
    return collectionState != null
        && other.collectionState != null
        && collectionState.ring() == other.collectionState.ring();
  }

  /** The number of the first event that the cursor has not returned. */
  public long next() {
    return next;
  }

  /**
   * Continues at that event. Another cursor has returned all events before it.
   *
   * @param reached the other cursor's {@link #position}
   */
  public void skipTo(long number, long reached) {
    next = Math.max(next, number);
    position = Math.max(position, reached);
    caughtUp = false;
  }

  /** Whether the last poll returned all events that were published by then. */
  public boolean caughtUp() {
    return caughtUp;
  }

  /** Receives events. */
  public interface Sink {
    /** Whether the sink accepted the event. The next poll returns a rejected event again. */
    boolean take(WatchEvent event);
  }

  /** Returns the next events to a consumer that accepts all of them. */
  public int poll(int most, Consumer<WatchEvent> sink) {
    return pollWhile(
        most,
        event -> {
          sink.accept(event);
          return true;
        });
  }

  /**
   * Passes the next events to the sink, each once and in order, until the sink rejects one. Does
   * not wait. Returns the number of accepted events.
   *
   * @param most the maximum number of events
   * @throws ReplicaException.Expired when the ring has dropped the next event; the watch must then
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
        // The sink may have accepted other events of the same commit.
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
   * Whether the watch is over: the collection was removed or got a new definition, and the cursor
   * has returned all earlier events.
   */
  public boolean ended() {
    return ended;
  }

  /** The revision up to which the cursor has returned every event of the collection. */
  public long position() {
    return position;
  }
}
