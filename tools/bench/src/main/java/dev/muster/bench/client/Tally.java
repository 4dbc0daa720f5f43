package dev.muster.bench.client;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Safe for use by many threads: what came back since the last reset. Latencies are in nanoseconds.
 */
public final class Tally {
  private static final long MOST = 1_000_000;
  private static final long LONGEST = 60_000_000_000L;

  private final LongAdder done = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final Histogram overtaken = new ConcurrentHistogram(MOST, 3);
  private final Histogram latency = new ConcurrentHistogram(1_000, LONGEST, 3);

  public void success(long nanos) {
    latency.recordValue(Math.min(nanos, LONGEST));
    done.increment();
  }

  /** One came back while so many of somebody else's did; fewer than none were forgotten. */
  public void overtaken(long others) {
    if (others >= 0) {
      overtaken.recordValue(Math.min(others, MOST));
    }
  }

  /** How many of somebody else's requests came back while one was under way. */
  public Histogram overtaken() {
    return overtaken.copy();
  }

  public void error(String what) {
    errors.increment();
    firstError.compareAndSet(null, what);
  }

  public long done() {
    return done.sum();
  }

  public long errors() {
    return errors.sum();
  }

  public @Nullable String firstError() {
    return firstError.get();
  }

  public Histogram latency() {
    return latency.copy();
  }

  /** Forgets everything; what is recorded during the call may or may not count. */
  public void reset() {
    done.reset();
    errors.reset();
    firstError.set(null);
    latency.reset();
    overtaken.reset();
  }
}
