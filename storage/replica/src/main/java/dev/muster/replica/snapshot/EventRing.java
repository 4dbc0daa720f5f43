package dev.muster.replica.snapshot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The recent events of one collection, numbered without gaps and shared by all its watches. Only
 * the applier writes; any thread reads without locks. A snapshot tells readers how far they may
 * read; an event below that number which is no longer in the ring has expired.
 */
public final class EventRing {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(WatchEvent[].class);
  private static final int SMALLEST = 16;

  /** This many of the newest events keep their encoded frames. */
  private static final int FRAMES_KEPT = 1_024;

  private volatile @Nullable WatchEvent[] slots = new @Nullable WatchEvent[SMALLEST];

  /** The ring has every event with a higher revision. */
  private volatile long floor;

  /** The number at which the ring was closed; negative while it is open. Readers stop there. */
  private volatile long closedAt = -1;

  // Only the applier uses these fields.
  private long head;
  private long tail;
  private long forgotten;
  private long bytes;

  /** An empty ring for a collection that has not changed since that revision. */
  public EventRing(long floor) {
    this.floor = floor;
  }

  /** The number of the next event. */
  public long tail() {
    return tail;
  }

  public int count() {
    return (int) (tail - head);
  }

  public long bytes() {
    return bytes;
  }

  public long floor() {
    return floor;
  }

  public void append(WatchEvent event) {
    if (event.sequence() != tail) {
      throw new IllegalStateException("event " + event.sequence() + " after " + tail);
    }
    if (count() == slots.length) {
      resize(slots.length * 2);
    }
    SLOT.setRelease(slots, index(slots, tail), event);
    tail++;
    bytes += event.weight();
    while (tail - forgotten > FRAMES_KEPT) {
      var old = get(forgotten++);
      if (old != null) {
        old.forget();
      }
    }
  }

  /** Drops the oldest events while there are too many, or while they are too old. */
  public void trim(int most, long since) {
    while (head < tail) {
      var oldest = get(head);
      if (oldest != null && count() <= most && oldest.millis() >= since) {
        break;
      }
      dropOldest();
    }
    shrink();
  }

  /** Drops about a tenth of the events, oldest first. */
  public void trimTenth() {
    for (int i = count() / 10; i >= 0 && head < tail; i--) {
      dropOldest();
    }
    shrink();
  }

  private void dropOldest() {
    var oldest = get(head);
    if (oldest != null) {
      bytes -= oldest.weight();
      // Raise the floor before the slot is emptied: a reader that finds it empty then sees the new
      // floor.
      floor = Math.max(floor, oldest.revision());
    }
    SLOT.setRelease(slots, index(slots, head), null);
    head++;
  }

  private void shrink() {
    int length = slots.length;
    if (length > SMALLEST && count() < length / 8) {
      resize(Math.max(SMALLEST, Integer.highestOneBit(count() + 1) * 4));
    }
  }

  private void resize(int length) {
    var old = slots;
    var resized = new @Nullable WatchEvent[length];
    for (long sequence = head; sequence < tail; sequence++) {
      resized[index(resized, sequence)] = old[index(old, sequence)];
    }
    slots = resized;
  }

  /** Expires every cursor: watchers get no events for the changes up to that revision. */
  public void breakOff(long revision) {
    floor = Math.max(floor, revision);
    if (count() == slots.length) {
      resize(slots.length * 2);
    }
    tail++;
    while (head < tail) {
      dropOldest();
    }
    forgotten = tail;
  }

  /** Closes the ring. Readers that are behind can read the remaining events, then reach the end. */
  public void close() {
    closedAt = tail;
  }

  long closedAt() {
    return closedAt;
  }

  /** The event of that number, or null when it has expired. */
  @Nullable WatchEvent get(long sequence) {
    var all = slots;
    var event = (WatchEvent) SLOT.getAcquire(all, index(all, sequence));
    return event != null && event.sequence() == sequence ? event : null;
  }

  /**
   * The number of the first event after that revision, or -1 when that event may have expired.
   *
   * @param end the number up to which events are published
   */
  public long firstAfter(long revision, long end) {
    long low = Math.max(0, end - slots.length);
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      var event = get(middle);
      if (event != null && event.revision() > revision) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return floor > revision ? -1 : low;
  }

  private static int index(@Nullable WatchEvent[] array, long sequence) {
    return (int) (sequence & (array.length - 1));
  }
}
