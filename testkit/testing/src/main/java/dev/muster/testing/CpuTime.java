package dev.muster.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Compares the CPU time of two tasks. They run in turns on this thread, and only the minimum of
 * each is compared, so the result does not depend on the machine's speed or load.
 */
public final class CpuTime {
  private static final int ROUNDS = 20;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private CpuTime() {}

  /** Fails when the task takes more than that many times the CPU time of the other. */
  public static void assertAtMost(double times, Runnable other, Runnable work) {
    long leastOther = Long.MAX_VALUE;
    long leastWork = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      leastOther = Math.min(leastOther, nanos(other));
      leastWork = Math.min(leastWork, nanos(work));
      if (leastWork <= times * leastOther) {
        return;
      }
    }
    throw new AssertionError(
        "takes %d µs, which is more than %s times %d µs"
            .formatted(leastWork / 1000, times, leastOther / 1000));
  }

  private static long nanos(Runnable work) {
    long before = THREADS.getCurrentThreadCpuTime();
    work.run();
    return THREADS.getCurrentThreadCpuTime() - before;
  }
}
