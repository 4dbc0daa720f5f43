package dev.muster.registry.rules.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.registry.rules.FieldCursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The schemas within a schema. */
final class SchemaTree {
  static final List<String> JUNCTORS = List.of("allOf", "oneOf", "anyOf");
  private static final List<String> MAPS =
      List.of("properties", "patternProperties", "definitions", "dependencies");
  private static final List<String> SINGLE =
      List.of("not", "items", "additionalProperties", "additionalItems");

  private SchemaTree() {}

  /**
   * Whether it is about a single value and says no more than its type, what it is for and how large
   * it may be. Most schemas are like that, and there is nothing in them that could be wrong.
   */
  static boolean isPlain(JsonObject schema) {
    boolean typed = false;
    for (int i = 0; i < schema.size(); i++) {
      switch (schema.key(i)) {
        case "description", "format", "maximum", "minimum", "maxLength", "minLength" -> {}
        case "type" -> typed = schema.value(i) instanceof JsonString type && isPlain(type.value());
        default -> {
          return false;
        }
      }
    }
    return typed;
  }

  private static boolean isPlain(String type) {
    return switch (type) {
      case "boolean", "integer", "number", "string" -> true;
      default -> false;
    };
  }

  static List<JsonObject> children(JsonObject schema) {
    if (isPlain(schema)) {
      return List.of();
    }
    var found = new ArrayList<JsonObject>();
    for (var field : SINGLE) {
      if (schema.get(field) instanceof JsonObject child) {
        found.add(child);
      }
    }
    for (var field : JUNCTORS) {
      found.addAll(schema.array(field).objects());
    }
    if (schema.get("items") instanceof JsonArray items) {
      found.addAll(items.objects());
    }
    for (var field : MAPS) {
      var map = schema.object(field);
      for (int i = 0; i < map.size(); i++) {
        if (map.value(i) instanceof JsonObject child) {
          found.add(child);
        }
      }
    }
    return found;
  }

  /** Whether the schema or one within it is like that. */
  static boolean any(JsonObject schema, Predicate<JsonObject> condition) {
    for (var part : all(schema)) {
      if (condition.test(part)) {
        return true;
      }
    }
    return false;
  }

  /** The schema and all within it, however deep; each before its parts. */
  static List<JsonObject> all(JsonObject schema) {
    var found = new ArrayList<JsonObject>();
    var open = new ArrayDeque<JsonObject>();
    open.push(schema);
    while (!open.isEmpty()) {
      var next = open.pop();
      found.add(next);
      children(next).reversed().forEach(open::push);
    }
    return found;
  }

  /** A field that holds a schema, and not true or false. */
  static boolean isSchema(FieldCursor place) {
    return place.value() instanceof JsonObject;
  }

  static boolean isSet(JsonObject schema, String field) {
    Json value = schema.get(field);
    return value != null && value != dev.muster.model.json.JsonNull.NULL;
  }
}
