package dev.muster.model.json;

/** A number with a fraction or an exponent, or too large for 64 bits, as written. */
public record JsonDecimal(String digits) implements JsonNumber {
  @Override
  public double doubleValue() {
    return Double.parseDouble(digits);
  }

  @Override
  public String toString() {
    return digits;
  }
}
