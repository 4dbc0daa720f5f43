package dev.muster.cel.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;

/** Converts values to strings as cel-go does. */
public final class ValueText {
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

  private ValueText() {}

  /** A value in messages. */
  public static String plain(Object value) {
    return switch (value) {
      case Double number -> number(number);
      case Duration duration -> seconds(duration);
      case Instant time -> time(time);
      case CelNull ignored -> "null";
      case CelList list -> list(list);
      case CelMap map -> map(map);
      default -> value.toString();
    };
  }

  private static String list(CelList list) {
    var out = new StringBuilder("[");
    for (int i = 0; i < list.size(); i++) {
      out.append(i == 0 ? "" : ", ").append(plain(list.get(i)));
    }
    return out.append(']').toString();
  }

  private static String map(CelMap map) {
    var out = new StringBuilder("{");
    for (var key : map.keys()) {
      var value = map.find(key);
      out.append(out.length() == 1 ? "" : ", ").append(plain(key)).append(": ");
      out.append(value == null ? "" : plain(value));
    }
    return out.append('}').toString();
  }

  /** The shortest text of a number; with an exponent when it is very large or very small. */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    var decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    var digits = decimal.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - decimal.scale();
    if (exponent >= -4 && exponent < 6) {
      return decimal.toPlainString();
    }
    var text = new StringBuilder(value < 0 ? "-" : "").append(digits.charAt(0));
    if (digits.length() > 1) {
      text.append('.').append(digits, 1, digits.length());
    }
    text.append('e').append(exponent < 0 ? '-' : '+');
    return text.append(Math.abs(exponent) < 10 ? "0" : "").append(Math.abs(exponent)).toString();
  }

  /** All digits of a number, without an exponent. */
  public static String fixed(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** A duration in seconds, such as {@code 1.5s}. */
  public static String seconds(Duration duration) {
    double seconds = duration.getSeconds() + duration.getNano() / 1e9;
    return fixed(seconds) + "s";
  }

  /** A timestamp in RFC 3339, with no more fractional digits than needed. */
  public static String time(Instant time) {
    var text = new StringBuilder(SECONDS.format(time));
    int nanos = time.get(ChronoField.NANO_OF_SECOND);
    if (nanos != 0) {
      var fraction = new StringBuilder(Integer.toString(1_000_000_000 + nanos));
      fraction.setCharAt(0, '.');
      while (fraction.charAt(fraction.length() - 1) == '0') {
        fraction.setLength(fraction.length() - 1);
      }
      text.append(fraction);
    }
    return text.append('Z').toString();
  }
}
