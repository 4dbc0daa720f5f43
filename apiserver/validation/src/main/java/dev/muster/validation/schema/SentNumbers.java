package dev.muster.validation.schema;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import java.math.BigDecimal;

/** Normalizes numbers like Go: {@code 1.0} is 1, and {@code 1e3} is 1000. */
public final class SentNumbers {
  private SentNumbers() {}

  /**
   * The value with normalized numbers; the same instance when nothing changes.
   *
   * @throws DecodeException when a number is out of range
   */
  public static Json normal(Json value) {
    return switch (value) {
      case JsonObject object -> object.mapValues((name, member) -> normal(member));
      case JsonArray list -> list.map(SentNumbers::normal);
      case JsonDecimal number -> number(number);
      default -> value;
    };
  }

  private static Json number(JsonDecimal number) {
    double value = number.doubleValue();
    if (Double.isInfinite(value)) {
      throw new DecodeException(
          "json: cannot unmarshal number " + number.digits() + " into Go value of type float64");
    }
    if (value == Math.rint(value) && Math.abs(value) < 0x1p63) {
      return Json.of((long) value);
    }
    double size = Math.abs(value);
    var exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    var text = size < 1e-6 || size >= 1e21 ? scientific(exact) : exact.toPlainString();
    return text.equals(number.digits()) ? number : new JsonDecimal(text);
  }

  private static String scientific(BigDecimal exact) {
    var digits = exact.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - exact.scale();
    return (exact.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 && exponent > 0 ? "0" : "")
        + Math.abs(exponent);
  }
}
