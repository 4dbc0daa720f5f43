package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a JSON patch; missing fields are null.
 *
 * @param kind the text of {@code op}, or "" when it is missing
 */
record PatchOperation(
    String kind, @Nullable String path, @Nullable String from, @Nullable Json value) {

  static final PatchOperation EMPTY = new PatchOperation("", null, null, null);

  static PatchOperation of(JsonObject object) {
    return new PatchOperation(
        object.string("op"), text(object, "path"), text(object, "from"), object.get("value"));
  }

  private static @Nullable String text(JsonObject object, String key) {
    return object.get(key) instanceof JsonString string ? string.value() : null;
  }
}
