package dev.muster.model;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses times like Kubernetes: RFC 3339 in UTC, in whole seconds or with six fraction
 * digits. Parsing is as lenient as Go's and fails with Go's messages.
 */
public final class Timestamps {
  private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
  private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";
  private static final Instant GO_ZERO = Instant.parse("0001-01-01T00:00:00Z");

  private Timestamps() {}

  /**
   * Parses a time in whole seconds; a fraction is allowed.
   *
   * @throws MalformedValueException with Go's message
   */
  public static Instant parse(String text) {
    return new Reader(text, SECONDS).read();
  }

  /**
   * Parses a time with exactly six fraction digits.
   *
   * @throws MalformedValueException with Go's message
   */
  public static Instant parseMicro(String text) {
    return new Reader(text, MICROS).read();
  }

  /** The time in that value, or null when it is missing or invalid. */
  public static @Nullable Instant read(@Nullable Json value) {
    if (!(value instanceof JsonString string)) {
      return null;
    }
    try {
      var time = parse(string.value());
      return time.equals(GO_ZERO) ? null : time;
    } catch (MalformedValueException e) {
      return null;
    }
  }

  /** The time in whole seconds, UTC. */
  public static String format(Instant time) {
    var out = new StringBuilder(20);
    dateAndTime(time, out);
    return out.append('Z').toString();
  }

  /** The time with six fraction digits, UTC. */
  public static String formatMicro(Instant time) {
    var out = new StringBuilder(27);
    dateAndTime(time, out);
    return pad(out.append('.'), time.get(ChronoField.MICRO_OF_SECOND), 6).append('Z').toString();
  }

  /** Whether this is Go's zero time, which is written as null. */
  public static boolean isZero(Instant time) {
    return time.equals(GO_ZERO);
  }

  private static void dateAndTime(Instant time, StringBuilder out) {
    var at = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    pad(out, at.getYear(), 4).append('-');
    pad(out, at.getMonthValue(), 2).append('-');
    pad(out, at.getDayOfMonth(), 2).append('T');
    pad(out, at.getHour(), 2).append(':');
    pad(out, at.getMinute(), 2).append(':');
    pad(out, at.getSecond(), 2);
  }

  private static StringBuilder pad(StringBuilder out, int value, int digits) {
    var text = Integer.toString(Math.abs(value));
    out.append(value < 0 ? "-" : "");
    return out.append("0".repeat(Math.max(0, digits - text.length()))).append(text);
  }

  /** Parses one text by one of the two layouts, element by element. */
  private static final class Reader {
    private final String text;
    private final String layout;
    private int at;

    Reader(String text, String layout) {
      this.text = text;
      this.layout = layout;
    }

    Instant read() {
      int year = element("2006", this::year);
      literal("-");
      int month = ranged("01", () -> number(true), 1, 12, "month");
      literal("-");
      int day = element("02", () -> number(true));
      literal("T");
      int hour = ranged("15", () -> number(false), 0, 23, "hour");
      literal(":");
      int minute = ranged("04", () -> number(true), 0, 59, "minute");
      literal(":");
      int second = ranged("05", () -> number(true), 0, 59, "second");
      int nanos = layout.equals(MICROS) ? element(".000000", this::micros) : looseFraction();
      int offset = element("Z07:00", this::offset);
      if (at < text.length()) {
        throw failure(": extra text: " + quote(rest()));
      }
      if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
        throw failure(": day out of range");
      }
      return LocalDateTime.of(year, month, day, hour, minute, second, nanos)
          .toInstant(ZoneOffset.UTC)
          .minusSeconds(offset);
    }

    private int year() {
      if (text.length() - at < 4) {
        return -1;
      }
      for (int i = 0; i < 4; i++) {
        if (!digit(at + i)) {
          return -1;
        }
      }
      at += 4;
      return Integer.parseInt(text, at - 4, at, 10);
    }

    private int number(boolean two) {
      if (!digit(at)) {
        return -1;
      }
      if (!digit(at + 1)) {
        return two ? -1 : text.charAt(at++) - '0';
      }
      at += 2;
      return Integer.parseInt(text, at - 2, at, 10);
    }

    private int micros() {
      if (text.length() - at < 7 || !isPoint(text.charAt(at))) {
        return -1;
      }
      for (int i = 1; i <= 6; i++) {
        if (!digit(at + i)) {
          return -1;
        }
      }
      at += 7;
      return Integer.parseInt(text, at - 6, at, 10) * 1000;
    }

    private int looseFraction() {
      if (at + 1 >= text.length() || !isPoint(text.charAt(at)) || !digit(at + 1)) {
        return 0;
      }
      int nanos = 0;
      int scale = 100_000_000;
      for (at++; digit(at); at++) {
        nanos += (text.charAt(at) - '0') * scale;
        scale /= 10;
      }
      return nanos;
    }

    /** The offset in seconds; -1 for no offset, which no valid offset is. */
    private int offset() {
      if (at < text.length() && text.charAt(at) == 'Z') {
        at++;
        return 0;
      }
      boolean form =
          text.length() - at >= 6
              && text.charAt(at + 3) == ':'
              && digit(at + 1)
              && digit(at + 2)
              && digit(at + 4)
              && digit(at + 5)
              && (text.charAt(at) == '+' || text.charAt(at) == '-');
      if (!form) {
        return -1;
      }
      int hours = Integer.parseInt(text, at + 1, at + 3, 10);
      int minutes = Integer.parseInt(text, at + 4, at + 6, 10);
      int sign = text.charAt(at) == '-' ? -1 : 1;
      at += 6;
      if (hours > 24 || minutes > 60) {
        throw failure(": time zone offset " + (minutes > 60 ? "minute" : "hour") + " out of range");
      }
      return sign * (hours * 60 + minutes) * 60;
    }

    private int ranged(String name, IntSupplier value, int least, int most, String what) {
      int found = element(name, value);
      if (found < least || found > most) {
        throw failure(": " + what + " out of range");
      }
      return found;
    }

    private int element(String name, IntSupplier value) {
      int start = at;
      int found = value.getAsInt();
      if (found == -1) {
        at = start;
        throw failure(
            " as " + quote(layout) + ": cannot parse " + quote(rest()) + " as " + quote(name));
      }
      return found;
    }

    private void literal(String wanted) {
      if (!text.startsWith(wanted, at)) {
        throw failure(
            " as " + quote(layout) + ": cannot parse " + quote(rest()) + " as " + quote(wanted));
      }
      at++;
    }

    private boolean digit(int index) {
      return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private static boolean isPoint(char c) {
      return c == '.' || c == ',';
    }

    private String rest() {
      return text.substring(at);
    }

    private MalformedValueException failure(String what) {
      return new MalformedValueException("parsing time " + quote(text) + what);
    }

    /** Quotes an invalid time like Go, which escapes special characters byte by byte. */
    private static String quote(String value) {
      var out = new StringBuilder(value.length() + 2).append('"');
      for (byte unit : value.getBytes(StandardCharsets.UTF_8)) {
        if (unit < ' ') {
          out.append(String.format("\\x%02x", unit & 0xff));
        } else {
          out.append(unit == '"' || unit == '\\' ? "\\" : "").append((char) unit);
        }
      }
      return out.append('"').toString();
    }
  }
}
