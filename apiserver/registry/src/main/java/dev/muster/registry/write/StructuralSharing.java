package dev.muster.registry.write;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Reuses the unchanged parts of an object in its new version. */
final class StructuralSharing {
  private StructuralSharing() {}

  /**
   * The object with the old instances wherever both are equal, so that later comparisons are quick.
   */
  static JsonObject from(JsonObject old, JsonObject object) {
    return (JsonObject) value(old, object);
  }

  private static Json value(@Nullable Json old, Json value) {
    if (old == null || old == value) {
      return value;
    }
    return switch (value) {
      case JsonObject object -> old instanceof JsonObject other ? object(other, object) : object;
      case JsonArray array -> old instanceof JsonArray other ? array(other, array) : array;
      case Json scalar -> scalar.equals(old) ? old : scalar;
    };
  }

  private static JsonObject object(JsonObject old, JsonObject object) {
    int size = object.size();
    var keys = new String[size];
    var values = new Json[size];
    boolean same = size == old.size();
    for (int i = 0; i < size; i++) {
      keys[i] = object.key(i);
      boolean aligned = i < old.size() && old.key(i).equals(keys[i]);
      values[i] = value(aligned ? old.value(i) : old.get(keys[i]), object.value(i));
      same = same && aligned && values[i] == old.value(i);
    }
    return same ? old : JsonObject.ofUnique(keys, values);
  }

  private static JsonArray array(JsonArray old, JsonArray array) {
    int size = array.size();
    var values = new Json[size];
    boolean same = size == old.size();
    for (int i = 0; i < size; i++) {
      values[i] = value(i < old.size() ? old.get(i) : null, array.get(i));
      same = same && values[i] == old.get(i);
    }
    return same ? old : JsonArray.owning(values);
  }
}
