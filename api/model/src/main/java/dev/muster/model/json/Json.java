package dev.muster.model.json;

import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value. Objects keep the order of their keys. Integers and decimals are
 * different types, because Kubernetes refuses {@code 1.0} where it expects an integer.
 */
public sealed interface Json
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBool, JsonNull {

  static JsonString of(String value) {
    return new JsonString(value);
  }

  static JsonNumber of(long value) {
    return new JsonInteger(value);
  }

  static JsonBool of(boolean value) {
    return value ? JsonBool.TRUE : JsonBool.FALSE;
  }

  /** The text of a string, or null for any other value. */
  default @Nullable String text() {
    return this instanceof JsonString string ? string.value() : null;
  }
}
