package dev.muster.flowcontrol;

import java.util.ArrayDeque;

/**
 * After how many seconds those are to come back whom a level has sent away. It doubles while many
 * are, and falls by one at a time when few are. Safe for any thread.
 */
final class RetryAfter {
  private static final int LONGEST = 32;

  private record Second(long second, long refused) {}

  private final ArrayDeque<Second> history = new ArrayDeque<>();
  private long second = Long.MIN_VALUE;
  private long refused;
  private long raisedAt = Long.MIN_VALUE;
  private int seconds = 1;

  /** Counts one that is sent away, and says when it is to come back. */
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
