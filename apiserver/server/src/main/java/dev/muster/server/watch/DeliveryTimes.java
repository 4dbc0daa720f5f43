package dev.muster.server.watch;

import java.time.InstantSource;
import java.util.function.LongConsumer;

/**
 * Safe for any thread: how long changes take to get from the replica to connections.
 *
 * @param clock the replica's
 * @param lags takes the milliseconds from applying a change to handing it to the last of the
 *     watches of one event loop that keep up
 */
public record DeliveryTimes(InstantSource clock, LongConsumer lags) {
  /** Nothing is recorded. */
  public static final DeliveryTimes UNRECORDED =
      new DeliveryTimes(InstantSource.system(), millis -> {});

  /** Never 0. */
  long now() {
    return Math.max(1, clock.millis());
  }

  /** A change was handed out that was applied then. */
  void delivered(long appliedAt) {
    lags.accept(Math.max(0, clock.millis() - appliedAt));
  }
}
