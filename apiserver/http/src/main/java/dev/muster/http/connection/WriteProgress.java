package dev.muster.http.connection;

import java.time.Duration;

/**
 * Measures how fast a client reads waiting data. Only the event loop of the connection uses it. Any
 * progress is enough while memory is free. While other responses wait for memory, the client must
 * reach a minimum rate.
 */
public final class WriteProgress {
  /** The minimum rate in bytes per second, while other responses wait for memory. */
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
   * @param limit how long a client may read nothing
   * @param full whether other responses wait for memory
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
