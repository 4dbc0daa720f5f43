package dev.muster.types;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Brings objects into canonical form, the one form in which they are stored: fields in order, empty
 * fields left out.
 */
public final class CanonicalForm {
  private CanonicalForm() {}

  public static JsonObject of(ServedType type, JsonObject object) {
    return type.storedForm().normal(object, null);
  }

  /**
   * The canonical form of an object that was made from another one; parts shared by both are not
   * processed again.
   *
   * @param origin the other object in canonical form; null when it is not known to be
   */
  public static JsonObject of(ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return type.storedForm().normal(object, origin);
  }

  /**
   * The form of an object for validation and admission: keeps an empty field where empty differs
   * from absent.
   *
   * @param origin as in {@link #of(ServedType, JsonObject, JsonObject)}
   */
  public static JsonObject withEmpties(
      ServedType type, JsonObject object, @Nullable JsonObject origin) {
    return type.storedForm().normalWithEmpties(object, origin);
  }
}
