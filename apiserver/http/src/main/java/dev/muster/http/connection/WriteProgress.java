package dev.muster.http.connection;

import java.time.Duration;

/**
 * Owned by one event loop: how fast a client takes what waits for it. Taking anything at all is
 * enough as long as nobody has to wait for room; then it has to be worth the room.
 */
public final class WriteProgress {
  /** Bytes a second, while others wait. */
  private static final long LEAST_RATE = 16 * 1024;

  private long waiting;
  private long progressed;
  private long since;
  private long taken;

  public void queued(long bytes) {
    if (waiting == 0) {
      progressed = System.nanoTime();
      since = progressed;
      taken = 0;
    }
    waiting += bytes;
  }

  public void taken(long bytes) {
    waiting -= bytes;
    taken += bytes;
    if (waiting > 0 && bytes > 0) {
      progressed = System.nanoTime();
    }
  }

  public long waiting() {
    return waiting;
  }

  /**
   * @param limit how long a client may take nothing
   * @param full whether others wait for room
   */
  boolean isTooSlow(long now, Duration limit, boolean full) {
    if (waiting == 0) {
      return false;
    }
    if (now - progressed > limit.toNanos()) {
      return true;
    }
    if (now - since <= limit.toNanos()) {
      return false;
    }
    boolean slow = full && taken < limit.toMillis() * LEAST_RATE / 1000;
    since = now;
    taken = 0;
    return slow;
  }
}
