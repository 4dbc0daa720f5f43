package dev.muster.model.json;

/** A number without fraction or exponent that fits 64 bits. */
public record JsonInteger(long value) implements JsonNumber {
  @Override
  public double doubleValue() {
    return value;
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
