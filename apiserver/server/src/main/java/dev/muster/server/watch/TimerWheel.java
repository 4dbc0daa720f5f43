package dev.muster.server.watch;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the timeouts and bookmarks of watches by second. Only one event loop uses it. The ring
 * covers the coming minute; it files a watch with a later time again when it comes round. A tick
 * therefore costs only the watches of that second.
 */
final class TimerWheel {
  private static final int SECONDS = 64;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A watch in the ring, as an element of a doubly linked list. */
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

  /** The second up to which all due watches were returned. */
  private long passed;

  TimerWheel(long now) {
    passed = Math.floorDiv(now, SECOND);
  }

  void add(Timer timer) {
    remove(timer);
    long due = Math.floorDiv(timer.session.due(), SECOND);
    // At the end of its second, and never in a second that has passed.
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

  /** Adds the watches that are due at that time. */
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
