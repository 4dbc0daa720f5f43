package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.registry.types.ServedType;
import dev.muster.schema.TypedReader;
import org.jspecify.annotations.Nullable;

/** Objects in the one form in which they are stored: fields in order, empty ones left out. */
final class Normal {
  private Normal() {}

  static JsonObject of(ServedType type, JsonObject object) {
    return TypedReader.normal(type.storedShape(), object);
  }

  /** The same of an object that was made of another, which is in its normal form if it is given. */
  static JsonObject of(ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return TypedReader.normal(type.storedShape(), object, origin);
  }
}
