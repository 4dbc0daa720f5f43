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
 * Safe for any thread. Lines in which writers of this server wait that contend for one key, first
 * come, first served. There is a line only while somebody is in it; without contention there is
 * none, and nobody waits.
 *
 * <p>A turn is a courtesy and not a lock: the store decides whose commit counts, and whoever has
 * waited for long goes on without. So nobody is kept by a writer that is slow.
 */
final class PerKeyQueue {
  private static final long LONGEST_WAIT = Duration.ofSeconds(5).toNanos();

  private static final class Line {
    final Semaphore turn = new Semaphore(1, true);
    int members;
  }

  private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

  /** Whether somebody is in line for that key. */
  boolean isContended(String key) {
    return !lines.isEmpty() && lines.containsKey(key);
  }

  /** Waits for this writer's turn at that key. */
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

  /** Whoever waits keeps nobody from the CPU: the writer before may need it. */
  private static boolean waited(Semaphore turn, long nanos) throws InterruptedException {
    try (var _ = CpuTask.waiting()) {
      return turn.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void leave(String key) {
    lines.computeIfPresent(key, (ignored, line) -> --line.members == 0 ? null : line);
  }

  /** How many keys there are lines for. */
  int lines() {
    return lines.size();
  }

  /** A place in a line, to be left by the thread that entered it. */
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

    /** Lets the next one go on. */
    void leave() {
      if (held != null) {
        held.release();
      }
      PerKeyQueue.this.leave(key);
    }
  }
}
