package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.registry.types.ServedType;
import org.jspecify.annotations.Nullable;

/** The one form in which objects are stored: fields in order, empty ones left out. */
final class CanonicalForm {
  private CanonicalForm() {}

  static JsonObject of(ServedType type, JsonObject object) {
    return type.storedForm().normal(object, null);
  }

  /**
   * The form of an object that was made of another one; what both share is not looked at again.
   *
   * @param origin the other one, in its canonical form; null when that is not known
   */
  static JsonObject of(ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return type.storedForm().normal(object, origin);
  }
}
