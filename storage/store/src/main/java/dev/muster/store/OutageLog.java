package dev.muster.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Safe for any thread. Logs something that fails again and again: at once when it begins, then at
 * growing intervals, and once when it works again. What fails and works by turns is logged no more
 * often than what only fails.
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
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime}
   */
  public OutageLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /**
   * An attempt failed.
   *
   * @param line what fails, why, and what is waited for
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

  /** An attempt succeeded: says so if the outage was logged. */
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
