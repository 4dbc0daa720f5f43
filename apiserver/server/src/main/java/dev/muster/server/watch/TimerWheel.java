package dev.muster.server.watch;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Owned by one event loop: which watches have something to do at which second. A watch stands in
 * the ring of the coming minute, and one whose time is later is looked at again when the ring has
 * come round; so a second costs what is due in it.
 */
final class TimerWheel {
  private static final int SECONDS = 64;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A watch in the ring: a list that is linked both ways. */
  static final class Timer {
    private final WatchSession session;
    private @Nullable Timer next;
    private @Nullable Timer previous;
    private int slot = -1;

    Timer(WatchSession session) {
      this.session = session;
    }
  }

  private final @Nullable Timer[] slots = new @Nullable Timer[SECONDS];

  /** The second up to which everything was handed over. */
  private long passed;

  TimerWheel(long now) {
    passed = Math.floorDiv(now, SECOND);
  }

  void add(Timer timer) {
    remove(timer);
    long due = Math.floorDiv(timer.session.due(), SECOND);
    // At the end of its second, and not in one that is over.
    long second = Math.clamp(due, passed + 1, passed + SECONDS - 1);
    int slot = (int) Math.floorMod(second, (long) SECONDS);
    timer.slot = slot;
    timer.next = slots[slot];
    if (timer.next != null) {
      timer.next.previous = timer;
    }
    slots[slot] = timer;
  }

  void remove(Timer timer) {
    if (timer.slot < 0) {
      return;
    }
    if (timer.next != null) {
      timer.next.previous = timer.previous;
    }
    if (timer.previous != null) {
      timer.previous.next = timer.next;
    } else {
      slots[timer.slot] = timer.next;
    }
    timer.next = null;
    timer.previous = null;
    timer.slot = -1;
  }

  /** Adds those that are due at that time. */
  void takeDue(long now, ArrayDeque<WatchSession> due) {
    long second = Math.floorDiv(now, SECOND);
    long from = Math.max(passed + 1, second - SECONDS + 1);
    passed = second;
    for (long each = from; each <= second; each++) {
      int slot = (int) Math.floorMod(each, (long) SECONDS);
      var timer = slots[slot];
      slots[slot] = null;
      while (timer != null) {
        var next = timer.next;
        timer.next = null;
        timer.previous = null;
        timer.slot = -1;
        if (timer.session.due() <= now) {
          due.add(timer.session);
        } else {
          add(timer);
        }
        timer = next;
      }
    }
  }
}
