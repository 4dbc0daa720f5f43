package dev.muster.embedded;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** The system's time plus an offset that a test increases; it never goes back. Thread-safe. */
final class MovableClock extends Clock {
  private final AtomicLong moved = new AtomicLong();

  void advance(Duration time) {
    moved.addAndGet(time.toMillis());
  }

  @Override
  public Instant instant() {
    return Instant.now().plusMillis(moved.get());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
