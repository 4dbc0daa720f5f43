package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.TypedReader;

/** Objects in the one form in which they are stored: fields in order, empty ones left out. */
final class Normal {
  private Normal() {}

  static JsonObject of(ResourceType type, JsonObject object) {
    return TypedReader.normal(shape(type), object);
  }

  private static StructShape shape(ResourceType type) {
    var stored = type.kind().equals(type.stored()) ? null : Schemas.of(type.stored());
    return stored == null ? type.shape() : stored;
  }
}
