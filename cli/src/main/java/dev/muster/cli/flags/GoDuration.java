package dev.muster.cli.flags;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Pattern;

/** Durations in Go's notation: {@code 1h30m}, {@code 1.5s}, {@code 300ms}. */
public final class GoDuration {
  private static final Pattern ZERO = Pattern.compile("[-+]?0");
  private static final Pattern WHOLE =
      Pattern.compile("[-+]?((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+");
  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

  private GoDuration() {}

  /**
   * Reads a duration; {@code 0} needs no unit.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static Duration parse(String text) {
    if (ZERO.matcher(text).matches()) {
      return Duration.ZERO;
    }
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not a duration such as 1m30s");
    }
    var nanos = BigDecimal.ZERO;
    var parts = PART.matcher(text);
    while (parts.find()) {
      nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit(parts.group(2))));
    }
    try {
      long whole = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
      return Duration.ofNanos(text.startsWith("-") ? -whole : whole);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("\"" + text + "\" is too long a duration", e);
    }
  }

  /** Writes a duration as Go does: {@code 1h0m0s}, {@code 1.5s}, {@code 300ms}. */
  public static String text(Duration duration) {
    if (duration.isNegative()) {
      return "-" + text(duration.negated());
    }
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.toSeconds() == 0) {
      long nanos = duration.toNanos();
      if (nanos < 1_000) {
        return nanos + "ns";
      }
      boolean millis = nanos >= 1_000_000;
      return plain(BigDecimal.valueOf(nanos, millis ? 6 : 3)) + (millis ? "ms" : "µs");
    }
    var text = new StringBuilder();
    long hours = duration.toHours();
    if (hours > 0) {
      text.append(hours).append('h');
    }
    if (duration.toMinutes() > 0) {
      text.append(duration.toMinutesPart()).append('m');
    }
    var seconds =
        BigDecimal.valueOf(duration.toSecondsPart())
            .add(BigDecimal.valueOf(duration.toNanosPart(), 9));
    return text.append(plain(seconds)).append('s').toString();
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static BigDecimal unit(String name) {
    return BigDecimal.valueOf(
        switch (name) {
          case "ns" -> 1L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 1_000L;
        });
  }
}
