package dev.muster.model.json;

/** A JSON number: an integer that fits 64 bits, or any other number as written. */
public sealed interface JsonNumber extends Json permits JsonInteger, JsonDecimal {
  double doubleValue();
}
