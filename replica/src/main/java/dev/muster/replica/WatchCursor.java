package dev.muster.replica;

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
  private @Nullable Slot slot;
  private long next;
  private long position;

  /**
   * @param slot null while the collection has never had an object
   * @param next the number of the first event to hand over
   */
  WatchCursor(
      Supplier<Snapshot> current, String storage, long after, @Nullable Slot slot, long next) {
    this.current = current;
    this.storage = storage;
    this.after = after;
    this.slot = slot;
    this.next = next;
    this.position = after;
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
    var snapshot = current.get();
    var known = find(snapshot);
    if (known == null) {
      position = Math.max(position, snapshot.revision());
      return 0;
    }
    long end = snapshot.collection(storage).end();
    int count = 0;
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
    position = Math.max(position, snapshot.revision());
    return count;
  }

  /** The collection's events, as soon as there is one. */
  private @Nullable Slot find(Snapshot snapshot) {
    if (slot == null) {
      var found = snapshot.slot(storage);
      if (found != null && found.ring().floor() > position) {
        throw new ReplicaException.Expired(position, found.ring().floor());
      }
      slot = found;
    }
    return slot;
  }

  /** The revision up to which every event of the collection has been handed over. */
  public long position() {
    return position;
  }
}
