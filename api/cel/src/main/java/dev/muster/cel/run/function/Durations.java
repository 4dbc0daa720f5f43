package dev.muster.cel.run.function;

import dev.muster.cel.value.EvaluationException;
import java.time.Duration;
import java.time.Instant;

/** The limits of durations and timestamps: 64 bits of nanoseconds, and the years 1 to 9999. */
final class Durations {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Durations() {}

  static Duration checked(Duration duration) {
    nanos(duration);
    return duration;
  }

  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      throw new EvaluationException("duration overflow");
    }
  }

  static Instant checked(Instant time) {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw new EvaluationException("timestamp overflow");
    }
    return time;
  }
}
