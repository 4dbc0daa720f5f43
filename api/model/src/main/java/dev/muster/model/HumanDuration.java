package dev.muster.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Formats durations like the ages that kubectl prints: {@code 45s}, {@code 5m3s}, {@code 2d4h},
 * {@code 3y12d}.
 */
public final class HumanDuration {
  /** Go counts nanoseconds in 64 bits and cuts longer durations to the longest one. */
  private static final long LONGEST_SECONDS = Long.MAX_VALUE / 1_000_000_000;

  private HumanDuration() {}

  /** The time since that instant; {@code <unknown>} when it is null. */
  public static String since(@Nullable Instant then, Instant now) {
    return then == null ? "<unknown>" : format(Duration.between(then, now));
  }

  /** Formats up to two units; longer durations are coarser. */
  public static String format(Duration duration) {
    long seconds = Math.min(duration.toMillis() / 1000, LONGEST_SECONDS);
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 120) {
      return Math.max(0, seconds) + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 10) {
      return two(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    if (hours < 8) {
      return two(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    long days = hours / 24;
    if (days < 8) {
      return two(days, "d", hours % 24, "h");
    }
    if (days < 2 * 365) {
      return days + "d";
    }
    return days < 8 * 365 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }
}
