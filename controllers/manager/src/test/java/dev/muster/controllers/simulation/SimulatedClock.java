package dev.muster.controllers.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** One thread at a time. A clock that stands still until it is moved. */
public final class SimulatedClock extends Clock {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  void set(Instant time) {
    now = time;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
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
