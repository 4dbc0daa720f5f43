package dev.muster.server.watch;

import java.time.InstantSource;
import java.util.function.LongConsumer;

/**
 * Measures how long changes take from the replica to connections. Thread-safe.
 *
 * @param clock the replica's clock
 * @param lags receives the milliseconds between applying a change and delivering it to the last
 *     watch of an event loop that keeps up
 */
public record DeliveryTimes(InstantSource clock, LongConsumer lags) {
  /** Records nothing. */
  public static final DeliveryTimes UNRECORDED =
      new DeliveryTimes(InstantSource.system(), millis -> {});

  /** The current time in milliseconds; never 0. */
  long now() {
    return Math.max(1, clock.millis());
  }

  /** Records that a change was delivered which was applied at that time. */
  void delivered(long appliedAt) {
    lags.accept(Math.max(0, clock.millis() - appliedAt));
  }
}
