package dev.muster.schema.structural;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Fills in the defaults of a schema. */
public final class Defaulting {
  private Defaulting() {}

  /** The value with its defaults; the same instance when none is missing. */
  public static Json fill(Json value, StructuralSchema schema) {
    return schema.hasDefaults() ? filled(value, schema) : value;
  }

  private static Json filled(Json value, StructuralSchema schema) {
    return switch (value) {
      case JsonObject object -> members(object, schema);
      case JsonArray list when schema.items() != null -> items(list, schema.items());
      default -> value;
    };
  }

  private static JsonObject members(JsonObject object, StructuralSchema schema) {
    var result = object;
    for (var property : schema.properties().entrySet()) {
      var name = property.getKey();
      var part = property.getValue();
      if (part.hasDefaults()) {
        var given = result.get(name);
        var filled = present(given, part);
        result = filled == null || filled == given ? result : result.with(name, filled);
      }
    }
    var values = schema.additional();
    if (values != null && values.hasDefaults()) {
      for (int i = 0; i < object.size(); i++) {
        var name = object.key(i);
        if (!schema.properties().containsKey(name)) {
          var filled = present(object.value(i), values);
          result = filled == null || filled == object.value(i) ? result : result.with(name, filled);
        }
      }
    }
    return result;
  }

  private static JsonArray items(JsonArray list, StructuralSchema schema) {
    return schema.hasDefaults()
        ? list.map(
            item -> {
              var filled = present(item, schema);
              return filled == null ? item : filled;
            })
        : list;
  }

  /** The value, or its default where it is missing, or null in a field that is not nullable. */
  private static @Nullable Json present(@Nullable Json given, StructuralSchema schema) {
    boolean missing = given == null || (given == JsonNull.NULL && !schema.isNullable());
    var value = missing && schema.defaultValue() != null ? schema.defaultValue() : given;
    return value == null ? null : filled(value, schema);
  }

  /** The value without nulls in fields that are not nullable and have no default. */
  public static Json dropNulls(Json value, StructuralSchema schema) {
    return switch (value) {
      case JsonObject object -> {
        var result = object;
        for (int i = 0; i < object.size(); i++) {
          var name = object.key(i);
          var part = schema.member(name);
          if (part == null) {
            continue;
          }
          if (object.value(i) == JsonNull.NULL) {
            boolean stays = part.isNullable() || part.defaultValue() != null;
            result = stays ? result : result.without(name);
          } else {
            var left = dropNulls(object.value(i), part);
            result = left == object.value(i) ? result : result.with(name, left);
          }
        }
        yield result;
      }
      case JsonArray list when schema.items() != null -> {
        var items = schema.items();
        yield list.map(item -> dropNulls(item, items));
      }
      default -> value;
    };
  }
}
