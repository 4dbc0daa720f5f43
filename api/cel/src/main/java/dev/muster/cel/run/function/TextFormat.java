package dev.muster.cel.run.function;

import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.gocompat.GoText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.TreeMap;

/** The function {@code format}, which fills values into a string such as {@code "%s of %d"}. */
final class TextFormat {
  private static final int DIGITS = 6;

  private TextFormat() {}

  static String of(String format, CelList values) {
    var out = new StringBuilder();
    int used = 0;
    int at = 0;
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      if (percent < 0) {
        break;
      }
      out.append(format, at, percent);
      if (format.startsWith("%%", percent)) {
        out.append('%');
        at = percent + 2;
        continue;
      }
      if (used >= values.size()) {
        throw new EvaluationException("index " + used + " out of range");
      }
      if (percent + 1 >= format.length()) {
        throw new EvaluationException("unexpected end of string");
      }
      int clause = clause(format, percent + 1);
      int digits = clause == percent + 1 ? -1 : precision(format.substring(percent + 2, clause));
      out.append(clause(format.charAt(clause), digits, values.get(used)));
      used++;
      at = clause + 1;
    }
    return out.append(format, at, format.length()).toString();
  }

  /** The position of a clause's letter, after its precision if it has one. */
  private static int clause(String format, int start) {
    if (format.charAt(start) != '.') {
      return start;
    }
    for (int i = start + 1; i < format.length(); i++) {
      if (format.charAt(i) < '0' || format.charAt(i) > '9') {
        return i;
      }
    }
    throw unparsed("error while parsing precision: could not find end of precision specifier");
  }

  private static EvaluationException unparsed(String why) {
    return new EvaluationException("could not parse formatting clause: " + why);
  }

  private static EvaluationException unformatted(String why, Object value) {
    return new EvaluationException(
        "error during formatting: " + why + ", was given " + CelValues.typeName(value));
  }

  private static int precision(String digits) {
    try {
      return Math.min(Integer.parseInt(digits), 1000);
    } catch (NumberFormatException e) {
      throw unparsed(
          "error while parsing precision: error while converting precision to integer:"
              + " strconv.Atoi: parsing "
              + GoText.quote(digits)
              + ": invalid syntax");
    }
  }

  private static String clause(char clause, int precision, Object value) {
    int digits = precision < 0 ? DIGITS : precision;
    return switch (clause) {
      case 's' -> text(value);
      case 'd' -> decimal(value);
      case 'f' -> fixed(number(value, "fixed-point"), digits);
      case 'e' -> scientific(number(value, "scientific"));
      case 'b' -> binary(value);
      case 'x' -> hex(value);
      case 'X' -> hex(value).toUpperCase(Locale.ROOT);
      case 'o' -> octal(value);
      default -> throw unparsed("unrecognized formatting clause \"" + clause + '"');
    };
  }

  private static String text(Object value) {
    return switch (value) {
      case CelList list -> list(list);
      case CelMap map -> map(map);
      case CelNull ignored -> "null";
      case String text -> text;
      default -> {
        try {
          yield (String) Conversions.toText(value);
        } catch (EvaluationException e) {
          throw unformatted(
              "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
                  + " types, durations, and timestamps",
              value);
        }
      }
    };
  }

  /** A value inside a list or map, as an expression would contain it. */
  private static String nested(Object value) {
    return switch (value) {
      case String text -> GoText.quote(text);
      case CelBytes bytes -> "b" + GoText.quote((String) Conversions.toText(bytes));
      case Instant time -> "timestamp(" + GoText.quote((String) Conversions.toText(time)) + ")";
      case Duration duration ->
          "duration(" + GoText.quote((String) Conversions.toText(duration)) + ")";
      case Double number when number.isNaN() || number.isInfinite() ->
          GoText.quote(fixed(number, DIGITS));
      case Double number -> fixed(number, DIGITS);
      case CelList list -> list(list);
      case CelMap map -> map(map);
      default -> text(value);
    };
  }

  private static String list(CelList list) {
    var out = new StringBuilder("[");
    for (int i = 0; i < list.size(); i++) {
      out.append(i == 0 ? "" : ", ").append(nested(list.get(i)));
    }
    return out.append(']').toString();
  }

  private static String map(CelMap map) {
    var sorted = new TreeMap<String, String>();
    for (var key : map.keys()) {
      var value = map.find(key);
      if (value != null) {
        sorted.put(nested(key), nested(value));
      }
    }
    var out = new StringBuilder("{");
    sorted.forEach(
        (key, value) ->
            out.append(out.length() == 1 ? "" : ", ").append(key).append(':').append(value));
    return out.append('}').toString();
  }

  private static String decimal(Object value) {
    return switch (value) {
      case Long number -> number.toString();
      case CelUint number -> number.toString();
      default -> throw unformatted("decimal clause can only be used on integers", value);
    };
  }

  private static double number(Object value, String clause) {
    return switch (value) {
      case Double number -> number;
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      default -> throw unformatted(clause + " clause can only be used on doubles", value);
    };
  }

  private static String special(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  }

  /** With commas between thousands. */
  private static String fixed(double value, int digits) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    return String.format(
        Locale.ROOT,
        "%,." + digits + "f",
        new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN));
  }

  /** Like upstream, prints six digits whatever precision the clause requests. */
  private static String scientific(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    var text = String.format(Locale.ROOT, "%." + DIGITS + "e", value);
    int exponent = text.indexOf('e');
    return text.substring(0, exponent)
        + "×10"
        + superscript(text.substring(exponent + 1).replace("+", ""));
  }

  private static String superscript(String exponent) {
    var out = new StringBuilder();
    for (int i = 0; i < exponent.length(); i++) {
      char c = exponent.charAt(i);
      out.append(
          switch (c) {
            case '+' -> "⁺";
            case '-' -> "⁻";
            default -> String.valueOf("⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(c - '0'));
          });
    }
    return out.toString();
  }

  private static String binary(Object value) {
    return switch (value) {
      case Long number when number < 0 -> "-" + Long.toUnsignedString(-number, 2);
      case Long number -> Long.toBinaryString(number);
      case CelUint number -> Long.toBinaryString(number.bits());
      case Boolean bool -> bool ? "1" : "0";
      default -> throw unformatted("only integers and bools can be formatted as binary", value);
    };
  }

  private static String hex(Object value) {
    return switch (value) {
      case Long number when number < 0 -> "-" + Long.toUnsignedString(-number, 16);
      case Long number -> Long.toHexString(number);
      case CelUint number -> Long.toHexString(number.bits());
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case CelBytes bytes -> HexFormat.of().formatHex(bytes.bytes());
      default ->
          throw unformatted(
              "only integers, byte buffers, and strings can be formatted as hex", value);
    };
  }

  private static String octal(Object value) {
    return switch (value) {
      case Long number when number < 0 -> "-" + Long.toUnsignedString(-number, 8);
      case Long number -> Long.toOctalString(number);
      case CelUint number -> Long.toOctalString(number.bits());
      default -> throw unformatted("octal clause can only be used on integers", value);
    };
  }
}
