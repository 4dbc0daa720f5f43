package dev.muster.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions that other threads bring about. */
final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(1);

  private Waiting() {}

  /**
   * @throws IllegalStateException with the given text after the timeout
   */
  static void until(Duration patience, BooleanSupplier condition, Supplier<String> otherwise) {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            otherwise.get() + ", after " + patience.toSeconds() + " seconds");
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting", e);
      }
    }
  }
}
