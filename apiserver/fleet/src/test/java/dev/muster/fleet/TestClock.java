package dev.muster.fleet;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is told to go on; others may run beside it, wrongly set. */
public final class TestClock extends Clock {
  private final AtomicReference<Instant> now;
  private final Duration offset;

  private TestClock(AtomicReference<Instant> now, Duration offset) {
    this.now = now;
    this.offset = offset;
  }

  public static TestClock create() {
    return new TestClock(
        new AtomicReference<>(Instant.parse("2026-11-15T09:00:00Z")), Duration.ZERO);
  }

  /** The same clock as a host shows it that is ahead or (negative) behind by that much. */
  public TestClock skewed(Duration by) {
    return new TestClock(now, offset.plus(by));
  }

  public void advance(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get()).plus(offset);
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
