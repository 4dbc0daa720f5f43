package dev.muster.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * Guarded by the lock of its {@link QueueSet}: the requests of a level that use the CPU now, the
 * oldest first. A request that waits for something else (the store, a webhook, its turn among those
 * that compute for long) keeps its seats and is not among them.
 */
final class RunningRequests {
  /**
   * Who runs for longer waits for something that nobody told of, or for others at the CPU; either
   * way those behind gain nothing by waiting for it.
   */
  static final long LONGEST_NANOS = 50_000_000;

  private final int most;
  private int count;
  private @Nullable SeatRequest oldest;
  private @Nullable SeatRequest newest;

  RunningRequests(int most) {
    this.most = most;
  }

  /** Whether one more may begin. */
  boolean hasRoom(long now) {
    while (count >= most && oldest != null && now - oldest.runsSince > LONGEST_NANOS) {
      remove(oldest);
    }
    return count < most;
  }

  /** Even where there is no room: what had to wait is not made to wait again. */
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

  /** Returns false when it was not among them. */
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
