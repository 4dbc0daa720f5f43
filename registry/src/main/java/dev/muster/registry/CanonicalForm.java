package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.TypedReader;
import org.jspecify.annotations.Nullable;

/** The one form in which objects are stored: fields in order, empty ones left out. */
final class CanonicalForm {
  private CanonicalForm() {}

  static JsonObject of(ResourceType type, JsonObject object) {
    return TypedReader.normal(shape(type), object);
  }

  /**
   * The form of an object that was made of another one; what both share is not looked at again.
   *
   * @param origin the other one, in its canonical form; null when that is not known
   */
  static JsonObject of(ResourceType type, JsonObject object, @Nullable JsonObject origin) {
    return TypedReader.normal(shape(type), object, origin);
  }

  private static StructShape shape(ResourceType type) {
    var stored = type.kind().equals(type.stored()) ? null : Schemas.of(type.stored());
    return stored == null ? type.shape() : stored;
  }
}
