package dev.muster.schema.read;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.Field;
import dev.muster.schema.StructShape;
import org.jspecify.annotations.Nullable;

/** Builds structs like Go's encoder, from the values that were read for their fields. */
public final class StructWriter {
  private StructWriter() {}

  /**
   * Builds the object in the order of the struct's fields.
   *
   * @param values the value of each field, null when absent; overwritten
   * @param base the position of this struct's first value
   * @param in an object to return as the same instance when it equals the result
   * @param kept fields that are written even when they are empty
   */
  public static JsonObject object(
      StructShape shape,
      @Nullable Json[] values,
      int base,
      @Nullable JsonObject in,
      EmptyFields kept) {
    int size = 0;
    boolean same = in != null;
    for (int i = 0; i < shape.size(); i++) {
      var field = shape.field(i);
      var value = field(field, values[base + i], kept);
      values[base + i] = value;
      if (value != null) {
        same =
            same
                && in != null
                && size < in.size()
                && in.value(size) == value
                && in.key(size).equals(field.name());
        size++;
      }
    }
    if (same && in != null && size == in.size()) {
      return in;
    }
    var keys = new String[size];
    var members = new Json[size];
    int at = 0;
    for (int i = 0; i < shape.size(); i++) {
      var value = values[base + i];
      if (value != null) {
        keys[at] = shape.field(i).name();
        members[at++] = value;
      }
    }
    return JsonObject.ofUnique(keys, members);
  }

  private static @Nullable Json field(Field field, @Nullable Json value, EmptyFields kept) {
    return switch (field.whenEmpty()) {
      case KEEP -> value;
      case OMIT -> value == null || (isEmpty(value) && !kept.keeps(field, value)) ? null : value;
      case ZERO -> value == null ? ZeroValues.of(field.shape()) : value;
      case NULL -> value == null ? JsonNull.NULL : value;
    };
  }

  private static boolean isEmpty(Json value) {
    return switch (value) {
      case JsonString string -> string.value().isEmpty();
      case JsonInteger number -> number.value() == 0;
      case JsonBool bool -> !bool.value();
      case JsonArray array -> array.isEmpty();
      case JsonObject object -> object.isEmpty();
      case JsonNull ignored -> true;
      case JsonDecimal ignored -> false;
    };
  }
}
