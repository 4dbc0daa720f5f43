package dev.muster.validation.apis;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Visits the schemas within a schema. */
final class SchemaTree {
  static final List<String> JUNCTORS = List.of("allOf", "oneOf", "anyOf");
  private static final List<String> MAPS =
      List.of("properties", "patternProperties", "definitions", "dependencies");
  private static final List<String> SINGLE =
      List.of("not", "items", "additionalProperties", "additionalItems");

  /** The fields of a schema that can contain schemas. */
  private static final Set<String> HOLDERS =
      Stream.of(JUNCTORS, MAPS, SINGLE).flatMap(List::stream).collect(Collectors.toSet());

  /** The fields of a simple schema. */
  private static final Set<String> SIMPLE =
      Set.of(
          "additionalProperties",
          "description",
          "enum",
          "format",
          "items",
          "maximum",
          "minimum",
          "maxItems",
          "minItems",
          "maxLength",
          "minLength",
          "properties",
          "required",
          "type");

  /**
   * The depth limit of the simple check; deeper schemas count as not simple, so that no schema is
   * checked too often.
   */
  private static final int SIMPLE_DEPTH = 12;

  private SchemaTree() {}

  /**
   * Whether the schema and all schemas within it contain only types, descriptions and size limits.
   * Large parts of most schemas are simple, and below the root a simple schema cannot be invalid:
   * it has no defaults, rules, patterns, extensions or alternatives.
   */
  static boolean isSimple(JsonObject schema) {
    return isSimple(schema, SIMPLE_DEPTH);
  }

  private static boolean isSimple(JsonObject schema, int depth) {
    for (int i = 0; i < schema.size(); i++) {
      if (!SIMPLE.contains(schema.key(i))) {
        return false;
      }
    }
    var items = schema.get("items");
    var values = schema.get("additionalProperties");
    var properties = schema.get("properties");
    return switch (schema.string("type")) {
      case "boolean", "integer", "number", "string" ->
          items == null && values == null && properties == null;
      case "array" ->
          values == null && properties == null && items != null && isSimpleBelow(items, depth);
      case "object" ->
          items == null
              && (values == null || properties == null)
              && (values == null || isSimpleBelow(values, depth))
              && (properties == null || areSimple(properties, depth));
      default -> false;
    };
  }

  private static boolean isSimpleBelow(Json value, int depth) {
    return depth > 0 && value instanceof JsonObject part && isSimple(part, depth - 1);
  }

  private static boolean areSimple(Json value, int depth) {
    if (!(value instanceof JsonObject properties)) {
      return false;
    }
    for (int i = 0; i < properties.size(); i++) {
      if (!isSimpleBelow(properties.value(i), depth)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLeaf(JsonObject schema) {
    for (int i = 0; i < schema.size(); i++) {
      if (HOLDERS.contains(schema.key(i))) {
        return false;
      }
    }
    return true;
  }

  static List<JsonObject> children(JsonObject schema) {
    if (isLeaf(schema)) {
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

  /**
   * Whether the schema or one within it meets the condition. The condition must not hold for a
   * schema that {@link #isSimple}.
   */
  static boolean any(JsonObject schema, Predicate<JsonObject> condition) {
    for (var part : notSimple(schema)) {
      if (condition.test(part)) {
        return true;
      }
    }
    return false;
  }

  /** The schema and all schemas within it, each before its parts. */
  static List<JsonObject> all(JsonObject schema) {
    return all(schema, part -> true);
  }

  /** The schemas of {@link #all} that are neither simple nor inside a simple schema. */
  static List<JsonObject> notSimple(JsonObject schema) {
    return all(schema, part -> !isSimple(part));
  }

  private static List<JsonObject> all(JsonObject schema, Predicate<JsonObject> wanted) {
    var found = new ArrayList<JsonObject>();
    var open = new ArrayDeque<JsonObject>();
    open.push(schema);
    while (!open.isEmpty()) {
      var next = open.pop();
      if (wanted.test(next)) {
        found.add(next);
        children(next).reversed().forEach(open::push);
      }
    }
    return found;
  }

  /** Whether a field contains a schema rather than a boolean. */
  static boolean isSchema(FieldCursor place) {
    return place.value() instanceof JsonObject;
  }

  static boolean isSet(JsonObject schema, String field) {
    Json value = schema.get(field);
    return value != null && value != JsonNull.NULL;
  }
}
