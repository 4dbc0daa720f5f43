package dev.muster.flowcontrol.metrics;

import java.util.function.IntSupplier;

/**
 * The number of waiting or running requests of one kind (readonly or mutating) over time, as a
 * fraction of the limit. Thread-safe.
 */
public final class KindUsage {
  private final Distribution.Recorder ratios =
      new Distribution.Recorder(
          0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1);
  private final IntSupplier limit;
  private int count;
  private long readAt;

  public KindUsage(IntSupplier limit, long now) {
    this.limit = limit;
    this.readAt = now;
  }

  public synchronized void add(int change, long now) {
    advance(now);
    count += change;
  }

  /** The current number. */
  public synchronized int count() {
    return count;
  }

  private void advance(long now) {
    if (now - readAt > 0) {
      ratios.add(count / (double) Math.max(1, limit.getAsInt()), now - readAt);
      readAt = now;
    }
  }

  /** In nanoseconds. */
  public synchronized Distribution copy(long now) {
    advance(now);
    return ratios.copy();
  }
}
