package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.TypedReader;

/** Objects in the one form in which they are stored: fields in order, empty ones left out. */
final class Normal {
  private Normal() {}

  static JsonObject of(ResourceType type, JsonObject object) {
    return TypedReader.normal(type.shape(), object);
  }
}
