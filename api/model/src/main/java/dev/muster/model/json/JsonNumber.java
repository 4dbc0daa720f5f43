package dev.muster.model.json;

/** A JSON number: an integer that fits 64 bits, or anything else as it was written. */
public sealed interface JsonNumber extends Json permits JsonInteger, JsonDecimal {
  double doubleValue();
}
