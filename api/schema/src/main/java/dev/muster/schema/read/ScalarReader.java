package dev.muster.schema.read;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Quantity;
import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonString;
import dev.muster.schema.Scalar;
import dev.muster.wire.DecodeException;
import dev.muster.wire.GoNumbers;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads values without members like Go's decoder and formats them like its encoder. Returns a value
 * in canonical form as the same instance.
 */
public final class ScalarReader {
  private final GoPath path;

  ScalarReader(GoPath path) {
    this.path = path;
  }

  /**
   * An error at which Go's decoder stops at once; other errors are reported after the whole input
   * was read.
   */
  public static final class Fatal extends RuntimeException {
    private final DecodeException cause;

    Fatal(DecodeException cause) {
      super(null, null, false, false);
      this.cause = cause;
    }

    public DecodeException decodeException() {
      return cause;
    }
  }

  /**
   * The value in canonical form.
   *
   * @throws DecodeException when Go would record the error and continue
   * @throws Fatal when Go would stop
   */
  Json read(Scalar scalar, Json value) {
    return switch (scalar) {
      case STRING -> {
        if (value instanceof JsonString) {
          yield value;
        }
        throw path.mismatch(value);
      }
      case BOOLEAN -> {
        if (value instanceof JsonBool) {
          yield value;
        }
        throw path.mismatch(value);
      }
      case INT32, INT64 -> integer(scalar, value);
      case DOUBLE -> decimal(value);
      case BYTES -> bytes(value);
      case TIME -> time(value);
      case MICRO_TIME -> microTime(value);
      case DURATION -> duration(value);
      case QUANTITY -> quantity(value);
      case INT_OR_STRING -> intOrString(value);
      case ANY, FIELDS_V1, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> value;
    };
  }

  private Json integer(Scalar scalar, Json value) {
    if (value instanceof JsonInteger number) {
      if (scalar == Scalar.INT64 || number.value() == (int) number.value()) {
        return value;
      }
    }
    if (value instanceof JsonNumber number) {
      throw path.mismatch("number " + number, path.typeHere());
    }
    throw path.mismatch(value);
  }

  private Json decimal(Json value) {
    if (!(value instanceof JsonNumber number)) {
      throw path.mismatch(value);
    }
    if (number instanceof JsonInteger integer && Math.abs(integer.value()) < 1L << 53) {
      return value;
    }
    double read = number.doubleValue();
    if (Double.isInfinite(read)) {
      throw path.mismatch("number " + number, path.typeHere());
    }
    var text = GoNumbers.text(read);
    return text.equals(number.toString()) ? value : GoNumbers.read(text);
  }

  private Json bytes(Json value) {
    if (value instanceof JsonArray array) {
      return Json.of(Base64.getEncoder().encodeToString(octets(array)));
    }
    if (!(value instanceof JsonString string)) {
      throw path.mismatch(value);
    }
    var read = Base64Text.read(string.value());
    return read == null ? value : Json.of(read);
  }

  private byte[] octets(JsonArray array) {
    var octets = new byte[array.size()];
    for (int i = 0; i < octets.length; i++) {
      if (!(array.get(i) instanceof JsonInteger number)
          || number.value() < 0
          || number.value() > 255) {
        throw path.mismatch(GoText.kind(array.get(i)), "uint8");
      }
      octets[i] = (byte) number.value();
    }
    return octets;
  }

  private Json time(Json value) {
    var text = text(value);
    if (isNormalTime(text)) {
      return value;
    }
    try {
      var time = Timestamps.parse(text);
      return Timestamps.isZero(time) ? JsonNull.NULL : same(value, Timestamps.format(time));
    } catch (MalformedValueException e) {
      throw new Fatal(new DecodeException(e.text()));
    }
  }

  /** Whether a text is certainly a time in canonical form. Days after the 28th are uncertain. */
  private static boolean isNormalTime(String text) {
    return text.length() == 20
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(13) == ':'
        && text.charAt(16) == ':'
        && text.charAt(19) == 'Z'
        && text.charAt(0) != '0'
        && within(text, 0, 0, 99)
        && within(text, 2, 0, 99)
        && within(text, 5, 1, 12)
        && within(text, 8, 1, 28)
        && within(text, 11, 0, 23)
        && within(text, 14, 0, 59)
        && within(text, 17, 0, 59);
  }

  private static boolean within(String text, int at, int least, int most) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    int number = tens * 10 + ones;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && number >= least && number <= most;
  }

  private Json microTime(Json value) {
    try {
      var time = Timestamps.parseMicro(text(value));
      return Timestamps.isZero(time) ? JsonNull.NULL : same(value, Timestamps.formatMicro(time));
    } catch (MalformedValueException e) {
      throw new Fatal(new DecodeException(e.text()));
    }
  }

  private Json duration(Json value) {
    try {
      return same(value, GoDuration.format(GoDuration.parse(text(value))));
    } catch (MalformedValueException e) {
      throw new Fatal(new DecodeException(e.text()));
    }
  }

  private String text(Json value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    throw new Fatal(path.mismatch(GoText.kind(value), "string"));
  }

  private static Json same(Json value, String text) {
    return value instanceof JsonString string && string.value().equals(text)
        ? value
        : Json.of(text);
  }

  public static Json quantity(Json value) {
    var text = value instanceof JsonString string ? string.value() : value.toString();
    if (value instanceof JsonString && isNormalQuantity(text)) {
      return value;
    }
    try {
      return same(value, Quantity.parse(text.strip()).toString());
    } catch (MalformedValueException e) {
      throw new Fatal(new DecodeException(e.text()));
    }
  }

  /** Whether a text is certainly in canonical form: up to three digits and a common suffix. */
  private static boolean isNormalQuantity(String text) {
    int length = text.length();
    int digits = 0;
    while (digits < length && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
      digits++;
    }
    if (digits == 0 || digits > 3 || (text.charAt(0) == '0' && length > 1)) {
      return false;
    }
    return switch (length - digits) {
      case 0 -> true;
      case 1 -> "mkMGT".indexOf(text.charAt(digits)) >= 0;
      case 2 -> text.charAt(length - 1) == 'i' && "KMGT".indexOf(text.charAt(digits)) >= 0;
      default -> false;
    };
  }

  private Json intOrString(Json value) {
    if (value instanceof JsonString) {
      return value;
    }
    if (value instanceof JsonInteger number && number.value() == (int) number.value()) {
      return value;
    }
    var kind = value instanceof JsonNumber number ? "number " + number : GoText.kind(value);
    throw new Fatal(path.mismatch(kind, "int32"));
  }

  /** The value that Go writes for an unset scalar; null if Go writes null. */
  static @Nullable Json zero(Scalar scalar) {
    return switch (scalar) {
      case STRING -> EMPTY;
      case BOOLEAN -> JsonBool.FALSE;
      case INT32, INT64, DOUBLE, INT_OR_STRING -> ZERO;
      case QUANTITY -> ZERO_TEXT;
      case DURATION -> ZERO_DURATION;
      case BYTES, TIME, MICRO_TIME, ANY, FIELDS_V1 -> null;
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> null;
    };
  }

  private static final Json EMPTY = Json.of("");
  private static final Json ZERO = Json.of(0);
  private static final Json ZERO_TEXT = Json.of("0");
  private static final Json ZERO_DURATION = Json.of("0s");
}
