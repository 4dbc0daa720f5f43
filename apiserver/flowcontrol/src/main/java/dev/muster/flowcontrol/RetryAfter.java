package dev.muster.flowcontrol;

import java.util.ArrayDeque;

/**
 * Computes the {@code Retry-After} seconds for requests that a level refuses. The value doubles
 * while many are refused, and falls by one at a time while few are. Thread-safe.
 */
final class RetryAfter {
  private static final int LONGEST = 32;

  private record Second(long second, long refused) {}

  private final ArrayDeque<Second> history = new ArrayDeque<>();
  private long second = Long.MIN_VALUE;
  private long refused;
  private long raisedAt = Long.MIN_VALUE;
  private int seconds = 1;

  /** Counts a refused request and returns its {@code Retry-After} in seconds. */
  synchronized int refused(long now) {
    if (now == second) {
      refused++;
      return seconds;
    }
    if (refused > 0) {
      history.addLast(new Second(second, refused));
    }
    second = now;
    refused = 1;
    adjust();
    long needed = Math.min(2L * seconds, LONGEST);
    while (!history.isEmpty() && second - history.getFirst().second() > needed) {
      history.removeFirst();
    }
    return seconds;
  }

  private void adjust() {
    long recent = 0;
    for (var past : history) {
      if (second - past.second() <= seconds) {
        recent += past.refused();
      }
    }
    boolean settled = raisedAt == Long.MIN_VALUE || second - raisedAt >= seconds;
    if (settled && recent >= 3L * seconds) {
      seconds = Math.min(2 * seconds, LONGEST);
      raisedAt = second;
    } else if (recent < seconds && seconds > 1) {
      seconds--;
    }
  }
}
