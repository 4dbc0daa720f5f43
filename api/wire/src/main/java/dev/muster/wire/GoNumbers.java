package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import java.math.BigDecimal;

/** Formats numbers like Go's JSON encoder. */
public final class GoNumbers {
  private GoNumbers() {}

  /**
   * Formats a floating-point number: without exponent unless it is very large or very small, and
   * without a decimal point when it is an integer.
   *
   * @throws DecodeException when JSON cannot represent the number
   */
  public static String text(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new DecodeException(
          "json: unsupported value: "
              + (Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"));
    }
    if (value == 0) {
      return "0";
    }
    var shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent >= -6 && exponent < 21) {
      return shortest.toPlainString();
    }
    var digits = shortest.unscaledValue().abs().toString();
    var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + fraction
        + "e"
        + (exponent < 0 ? "-" : "+")
        + Math.abs(exponent);
  }

  /** Parses a number. */
  public static Json read(String digits) {
    try {
      return new JsonInteger(Long.parseLong(digits));
    } catch (NumberFormatException notAnInteger) {
      return new JsonDecimal(digits);
    }
  }

  public static Json of(double value) {
    return read(text(value));
  }
}
