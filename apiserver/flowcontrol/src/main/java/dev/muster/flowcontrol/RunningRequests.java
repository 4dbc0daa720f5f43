package dev.muster.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a priority level that use the CPU now, oldest first. The lock of its {@link
 * QueueSet} guards it. A request that waits for the store, a webhook or its turn in the CPU pool
 * keeps its seats but is not in this list.
 */
final class RunningRequests {
  /**
   * Longer requests are no longer counted: they wait unnoticed or compete for the CPU, and holding
   * other requests back gains nothing.
   */
  static final long LONGEST_NANOS = 50_000_000;

  private final int most;
  private int count;
  private @Nullable SeatRequest oldest;
  private @Nullable SeatRequest newest;

  RunningRequests(int most) {
    this.most = most;
  }

  /** Whether one more request may start. */
  boolean hasRoom(long now) {
    while (count >= most && oldest != null && now - oldest.runsSince > LONGEST_NANOS) {
      remove(oldest);
    }
    return count < most;
  }

  /** Adds a request even when there is no room, because a resumed request must not wait again. */
  void add(SeatRequest request, long now) {
    if (request.runs) {
      return;
    }
    request.runs = true;
    request.runsSince = now;
    request.ranBefore = newest;
    if (newest == null) {
      oldest = request;
    } else {
      newest.ranAfter = request;
    }
    newest = request;
    count++;
  }

  /** Returns false when the request was not in the list. */
  boolean remove(SeatRequest request) {
    if (!request.runs) {
      return false;
    }
    request.runs = false;
    if (request.ranBefore == null) {
      oldest = request.ranAfter;
    } else {
      request.ranBefore.ranAfter = request.ranAfter;
    }
    if (request.ranAfter == null) {
      newest = request.ranBefore;
    } else {
      request.ranAfter.ranBefore = request.ranBefore;
    }
    request.ranBefore = null;
    request.ranAfter = null;
    count--;
    return true;
  }
}
