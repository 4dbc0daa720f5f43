package dev.muster.types;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The one form in which objects are stored: fields in order, empty ones left out. */
public final class CanonicalForm {
  private CanonicalForm() {}

  public static JsonObject of(ServedType type, JsonObject object) {
    return type.storedForm().normal(object, null);
  }

  /**
   * The form of an object that was made of another one; what both share is not looked at again.
   *
   * @param origin the other one, in its canonical form; null when that is not known
   */
  public static JsonObject of(ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return type.storedForm().normal(object, origin);
  }

  /**
   * The form of an object that is about to be judged: what is empty stays where that is not the
   * same as none.
   *
   * @param origin as in {@link #of(ServedType, JsonObject, JsonObject)}
   */
  public static JsonObject withEmpties(
      ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return type.storedForm().normalWithEmpties(object, origin);
  }
}
