package dev.muster.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Has a thread of its own. How much of its heap the JVM may keep free follows what the process
 * does. A server that is at rest gives memory back; with as little room under load, the collector
 * would mark the whole heap again and again beside the requests, and grow and shrink it each time.
 */
final class HeapSizing implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** What is allocated in a second by a server that is used a lot. */
  static final long BUSY_BYTES_PER_SECOND = 20L << 20;

  private static final String LEAST_FREE = "MinHeapFreeRatio";
  private static final String MOST_FREE = "MaxHeapFreeRatio";

  /** Shares of the heap in percent; at rest they are those that the JVM was started with. */
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
   * @param allocated how many bytes this process has ever allocated
   */
  HeapSizing(LongSupplier allocated) {
    this.allocated = allocated;
    this.lastAllocated = allocated.getAsLong();
  }

  /** Looks every few seconds, from some seconds after now on, until it is closed. */
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

  /** Decides by what was allocated since the last look. */
  void check(Duration since) {
    long now = allocated.getAsLong();
    boolean busy = now - lastAllocated > BUSY_BYTES_PER_SECOND * since.toMillis() / 1000;
    lastAllocated = now;
    var wanted = busy ? atRest.underLoad() : atRest;
    if (!wanted.equals(current)) {
      current = wanted;
      // In this order the least is never more than the most.
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
