package dev.muster.model.gocompat;

import dev.muster.model.MalformedValueException;
import java.time.Duration;

/** Parses and formats durations like Go: {@code 1m30s}, {@code 1h0m0s}, {@code 1.5s}. */
public final class GoDuration {
  private GoDuration() {}

  /**
   * Parses a sequence of numbers with units.
   *
   * @throws MalformedValueException with Go's message
   */
  public static Duration parse(String text) {
    int at = 0;
    boolean negative = false;
    if (!text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+')) {
      negative = text.charAt(0) == '-';
      at = 1;
    }
    if (text.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    if (at == text.length()) {
      throw invalid(text);
    }
    double overflow = 0;
    long total = 0;
    while (at < text.length()) {
      int start = at;
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      var whole = text.substring(start, at);
      var fraction = "";
      if (at < text.length() && text.charAt(at) == '.') {
        int from = ++at;
        while (at < text.length() && isDigit(text.charAt(at))) {
          at++;
        }
        fraction = text.substring(from, at);
      }
      if (whole.isEmpty() && fraction.isEmpty()) {
        throw invalid(text);
      }
      int unitStart = at;
      while (at < text.length() && text.charAt(at) != '.' && !isDigit(text.charAt(at))) {
        at++;
      }
      if (unitStart == at) {
        throw new MalformedValueException("time: missing unit in duration " + GoText.quote(text));
      }
      long unit = unit(text.substring(unitStart, at), text);
      overflow += (whole.isEmpty() ? 0 : Double.parseDouble(whole)) * unit;
      if (overflow > Long.MAX_VALUE || whole.length() > 19) {
        throw invalid(text);
      }
      total += (whole.isEmpty() ? 0 : Long.parseLong(whole)) * unit;
      if (!fraction.isEmpty()) {
        total += (long) (Double.parseDouble("0." + fraction) * unit);
      }
      if (total < 0) {
        throw invalid(text);
      }
    }
    return Duration.ofNanos(negative ? -total : total);
  }

  private static long unit(String name, String text) {
    return switch (name) {
      case "ns" -> 1;
      case "us", "µs", "μs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default ->
          throw new MalformedValueException(
              "time: unknown unit " + GoText.quote(name) + " in duration " + GoText.quote(text));
    };
  }

  private static MalformedValueException invalid(String text) {
    return new MalformedValueException("time: invalid duration " + GoText.quote(text));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Formats hours, minutes and seconds, starting with the largest unit that is not zero. A duration
   * below a second uses a smaller unit.
   */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    var positive = duration.abs();
    var sign = duration.isNegative() ? "-" : "";
    long seconds = positive.getSeconds();
    int nanos = positive.getNano();
    if (seconds == 0) {
      if (nanos < 1_000) {
        return sign + nanos + "ns";
      }
      return nanos < 1_000_000
          ? sign + decimal(nanos / 1_000, nanos % 1_000, 3) + "µs"
          : sign + decimal(nanos / 1_000_000, nanos % 1_000_000, 6) + "ms";
    }
    var text = decimal(seconds % 60, nanos, 9) + "s";
    long minutes = seconds / 60;
    if (minutes > 0) {
      text = minutes % 60 + "m" + text;
    }
    if (minutes >= 60) {
      text = minutes / 60 + "h" + text;
    }
    return sign + text;
  }

  private static String decimal(long whole, int fraction, int digits) {
    if (fraction == 0) {
      return Long.toString(whole);
    }
    var text = Integer.toString(fraction);
    text = "0".repeat(digits - text.length()) + text;
    return whole + "." + text.replaceAll("0+$", "");
  }
}
