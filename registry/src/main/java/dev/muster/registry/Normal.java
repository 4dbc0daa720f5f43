package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.TypedReader;
import org.jspecify.annotations.Nullable;

/** Objects in the one form in which they are stored: fields in order, empty ones left out. */
final class Normal {
  private Normal() {}

  static JsonObject of(ResourceType type, JsonObject object) {
    return TypedReader.normal(shape(type), object);
  }

  /** The same of an object that was made of another, which is in its normal form if it is given. */
  static JsonObject of(ResourceType type, JsonObject object, @Nullable JsonObject origin) {
    return TypedReader.normal(shape(type), object, origin);
  }

  private static StructShape shape(ResourceType type) {
    var stored = type.kind().equals(type.stored()) ? null : Schemas.of(type.stored());
    return stored == null ? type.shape() : stored;
  }
}
