package dev.muster.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Adjusts how much of its heap the JVM may keep free to the load. An idle server gives memory back.
 * Under load, too little free memory would make the collector mark the whole heap again and again,
 * and resize it each time. It has its own thread.
 */
final class HeapSizing implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The allocation rate of a busy server. */
  static final long BUSY_BYTES_PER_SECOND = 20L << 20;

  private static final String LEAST_FREE = "MinHeapFreeRatio";
  private static final String MOST_FREE = "MaxHeapFreeRatio";

  /** Percentages of the heap; when idle, those that the JVM was started with. */
  private record FreeRatios(int least, int most) {
    FreeRatios underLoad() {
      return new FreeRatios(Math.max(least, 40), Math.max(most, 70));
    }
  }

  private final HotSpotDiagnosticMXBean jvm =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  private final FreeRatios atRest = new FreeRatios(value(LEAST_FREE), value(MOST_FREE));
  private final LongSupplier allocated;
  private final CountDownLatch closed = new CountDownLatch(1);
  private FreeRatios current = atRest;
  private long lastAllocated;

  /**
   * @param allocated the number of bytes that this process has ever allocated
   */
  HeapSizing(LongSupplier allocated) {
    this.allocated = allocated;
    this.lastAllocated = allocated.getAsLong();
  }

  /** Checks every few seconds until it is closed, beginning some seconds from now. */
  static HeapSizing start() {
    var threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    var sizing = new HeapSizing(threads::getTotalThreadAllocatedBytes);
    Thread.ofPlatform().daemon().name("muster-heap-sizing").start(sizing::run);
    return sizing;
  }

  private void run() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        check(INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Decides by the allocation since the last check. */
  void check(Duration since) {
    long now = allocated.getAsLong();
    boolean busy = now - lastAllocated > BUSY_BYTES_PER_SECOND * since.toMillis() / 1000;
    lastAllocated = now;
    var wanted = busy ? atRest.underLoad() : atRest;
    if (!wanted.equals(current)) {
      current = wanted;
      // In this order the minimum never exceeds the maximum.
      set(LEAST_FREE, 0);
      set(MOST_FREE, wanted.most());
      set(LEAST_FREE, wanted.least());
    }
  }

  private int value(String option) {
    return Integer.parseInt(jvm.getVMOption(option).getValue());
  }

  private void set(String option, int percent) {
    jvm.setVMOption(option, Integer.toString(percent));
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
