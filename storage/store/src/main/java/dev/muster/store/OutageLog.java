package dev.muster.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs a repeated failure without flooding the log: at once when it begins, then at growing
 * intervals, and once when it ends. A failure that comes and goes is logged no more often than a
 * lasting one. Thread-safe.
 */
public final class OutageLog {
  private static final long FIRST_INTERVAL = TimeUnit.SECONDS.toNanos(10);
  private static final long LONGEST_INTERVAL = TimeUnit.MINUTES.toNanos(10);

  private final Logger log;
  private final LongSupplier nanoTime;
  private long since;
  private long attempts;
  private boolean told;
  private long nextLine;
  private long interval;
  private long endedAt;

  public OutageLog(Logger log) {
    this(log, System::nanoTime);
  }

  /**
   * @param nanoTime a monotonic clock such as {@link System#nanoTime}
   */
  public OutageLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /**
   * Records a failed attempt and logs it when the next line is due.
   *
   * @param line the operation that fails, the reason, and what the component waits for
   */
  public synchronized void failed(String line) {
    long now = nanoTime.getAsLong();
    if (attempts++ == 0) {
      since = now;
      if (interval == 0 || now - endedAt >= FIRST_INTERVAL) {
        interval = 0;
        nextLine = now;
      }
    }
    if (now - nextLine < 0) {
      return;
    }
    interval = interval == 0 ? FIRST_INTERVAL : Math.min(2 * interval, LONGEST_INTERVAL);
    nextLine = now + interval;
    told = true;
    if (attempts == 1) {
      log.warn("{}", line);
    } else {
      log.warn("{} (for {}, {} attempts)", line, text(now - since), attempts);
    }
  }

  /** Records a successful attempt; logs it if the outage was logged. */
  public synchronized void ended(String line) {
    if (attempts == 0) {
      return;
    }
    endedAt = nanoTime.getAsLong();
    if (told) {
      log.info("{} (after {})", line, text(endedAt - since));
    }
    attempts = 0;
    told = false;
  }

  /** Whether the last attempt failed. */
  public synchronized boolean lasts() {
    return attempts > 0;
  }

  private static String text(long nanos) {
    var time = Duration.ofNanos(nanos);
    if (time.toSeconds() == 0) {
      return time.toMillis() + " ms";
    }
    return time.toMinutes() < 2 ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}
