package dev.muster.cel.run.function;

import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.TypeValue;
import dev.muster.cel.value.ValueText;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoDuration;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** Conversions between types. */
public final class Conversions {
  private static final String INT = "int";
  private static final String UINT = "uint";
  private static final String DURATION = "google.protobuf.Duration";
  private static final String TIMESTAMP = "google.protobuf.Timestamp";

  private Conversions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("dyn", values -> values[0]);
    all.put("type", values -> new TypeValue(CelValues.typeName(values[0])));
    all.put("bool", values -> toBool(values[0]));
    all.put("bytes", values -> toBytes(values[0]));
    all.put("double", values -> toDouble(values[0]));
    all.put("duration", values -> toDuration(values[0]));
    all.put("int", values -> toInt(values[0]));
    all.put("string", values -> toText(values[0]));
    all.put("timestamp", values -> toTime(values[0]));
    all.put("uint", values -> toUint(values[0]));
  }

  private static EvaluationException unconvertible(Object value, String type) {
    return new EvaluationException(
        "type conversion error from '" + CelValues.typeName(value) + "' to '" + type + "'");
  }

  private static Object toBool(Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case String text ->
          switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> throw unconvertible(value, "bool");
          };
      default -> throw unconvertible(value, "bool");
    };
  }

  private static Object toBytes(Object value) {
    return switch (value) {
      case CelBytes bytes -> bytes;
      case String text -> new CelBytes(text.getBytes(StandardCharsets.UTF_8));
      default -> throw unconvertible(value, "bytes");
    };
  }

  private static Object toDouble(Object value) {
    return switch (value) {
      case Double number -> number;
      case Long number -> (double) number;
      case CelUint number -> CelValues.unsigned(number);
      case String text -> parseDouble(text);
      default -> throw unconvertible(value, "double");
    };
  }

  private static double parseDouble(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Double.NEGATIVE_INFINITY;
      }
      case "nan" -> {
        return Double.NaN;
      }
      default -> {}
    }
    if (!text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")) {
      throw unconvertible(text, "double");
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw unconvertible(text, "double");
    }
    return value;
  }

  private static Object toInt(Object value) {
    return switch (value) {
      case Long number -> number;
      case CelUint number -> {
        if (number.bits() < 0) {
          throw Operators.overflow();
        }
        yield number.bits();
      }
      case Double number -> {
        if (!(number > -0x1p63 && number < 0x1p63)) {
          throw Operators.overflow();
        }
        yield (long) (double) number;
      }
      case String text -> {
        try {
          yield Long.parseLong(text);
        } catch (NumberFormatException e) {
          throw unconvertible(value, INT);
        }
      }
      case Instant time -> time.getEpochSecond();
      case Duration duration -> Durations.nanos(duration);
      default -> throw unconvertible(value, INT);
    };
  }

  private static Object toUint(Object value) {
    return switch (value) {
      case CelUint number -> number;
      case Long number -> {
        if (number < 0) {
          throw Operators.unsignedOverflow();
        }
        yield new CelUint(number);
      }
      case Double number -> {
        if (!(number >= 0 && number < 0x1p64)) {
          throw Operators.unsignedOverflow();
        }
        yield new CelUint(
            number < 0x1p63 ? (long) (double) number : (long) (number - 0x1p63) ^ Long.MIN_VALUE);
      }
      case String text -> {
        try {
          yield new CelUint(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
          throw unconvertible(value, UINT);
        }
      }
      default -> throw unconvertible(value, UINT);
    };
  }

  static Object toText(Object value) {
    return switch (value) {
      case String text -> text;
      case Boolean bool -> bool.toString();
      case Long number -> number.toString();
      case CelUint number -> number.toString();
      case Double number -> ValueText.number(number);
      case CelBytes bytes -> decoded(bytes);
      case Duration duration -> ValueText.seconds(duration);
      case Instant time -> ValueText.time(time);
      case TypeValue type -> type.name();
      case Ip ip -> ip.toString();
      case Cidr range -> NetworkFunctions.text(range);
      default -> throw unconvertible(value, "string");
    };
  }

  private static String decoded(CelBytes bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new EvaluationException("invalid UTF-8 in bytes, cannot convert to string");
    }
  }

  private static Object toDuration(Object value) {
    return switch (value) {
      case Duration duration -> duration;
      case Long nanos -> Duration.ofNanos(nanos);
      case String text -> {
        try {
          yield GoDuration.parse(text);
        } catch (MalformedValueException e) {
          throw unconvertible(value, DURATION);
        }
      }
      default -> throw unconvertible(value, DURATION);
    };
  }

  private static Object toTime(Object value) {
    return switch (value) {
      case Instant time -> time;
      case Long seconds -> {
        if (seconds < -62_135_596_800L || seconds > 253_402_300_799L) {
          throw new EvaluationException("timestamp overflow");
        }
        yield Instant.ofEpochSecond(seconds);
      }
      case String text -> {
        try {
          yield Durations.checked(Timestamps.parse(text));
        } catch (MalformedValueException e) {
          throw unconvertible(value, TIMESTAMP);
        }
      }
      default -> throw unconvertible(value, TIMESTAMP);
    };
  }
}
