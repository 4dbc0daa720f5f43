package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Queues in which writers of this server that contend for one key wait, first in, first out. A
 * queue exists only while it has members; without contention no writer waits. Thread-safe.
 *
 * <p>A turn is not a lock: the store decides which commit wins, and a writer continues without its
 * turn after a maximum wait. A slow writer therefore cannot block the others.
 */
final class PerKeyQueue {
  private static final long LONGEST_WAIT = Duration.ofSeconds(5).toNanos();

  private static final class Line {
    final Semaphore turn = new Semaphore(1, true);
    int members;
  }

  private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

  /** Whether a queue for that key exists. */
  boolean isContended(String key) {
    return !lines.isEmpty() && lines.containsKey(key);
  }

  /** Waits for this writer's turn at that key, up to the maximum wait. */
  LinePlace enter(String key, Deadline deadline) {
    var line =
        lines.compute(
            key,
            (ignored, present) -> {
              var joined = present == null ? new Line() : present;
              joined.members++;
              return joined;
            });
    boolean first = false;
    try {
      long wait = Math.min(deadline.remainingNanos(), LONGEST_WAIT);
      first = line.turn.tryAcquire(0, TimeUnit.NANOSECONDS) || waited(line.turn, wait);
    } catch (InterruptedException e) {
      leave(key);
      Thread.currentThread().interrupt();
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE,
          "the server is stopping",
          StatusDetails.NONE.withRetryAfter(1));
    }
    return new LinePlace(key, first ? line.turn : null);
  }

  /** Gives up the CPU seat while waiting: the writer ahead may need it. */
  private static boolean waited(Semaphore turn, long nanos) throws InterruptedException {
    try (var _ = CpuTask.waiting()) {
      return turn.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void leave(String key) {
    lines.computeIfPresent(key, (ignored, line) -> --line.members == 0 ? null : line);
  }

  /** The number of keys that have a queue. */
  int lines() {
    return lines.size();
  }

  /** A place in a queue. The thread that entered must leave it. */
  final class LinePlace {
    private final String key;
    private final @Nullable Semaphore held;

    private LinePlace(String key, @Nullable Semaphore held) {
      this.key = key;
      this.held = held;
    }

    boolean isFor(String other) {
      return key.equals(other);
    }

    /** Leaves the queue and lets the next writer continue. */
    void leave() {
      if (held != null) {
        held.release();
      }
      PerKeyQueue.this.leave(key);
    }
  }
}
