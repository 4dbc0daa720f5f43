package dev.muster.validation.schema;

import dev.muster.cel.FieldNames;
import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.JsonValues;
import dev.muster.cel.value.OpaqueValue;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.OpenApiDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.structural.StructuralSchema;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Presents JSON values to CEL expressions by their schema: a string of format {@code date-time} is
 * a timestamp, and a list of type set ignores order. Values are converted on first use.
 */
final class SchemaValues {
  private SchemaValues() {}

  /**
   * A whole or embedded object, of whose metadata only the names are visible.
   *
   * @throws EvaluationException when the value does not match its schema
   */
  static Object resource(Json value, StructuralSchema schema) {
    return value instanceof JsonObject object
        ? new Members(object, schema, true)
        : of(value, schema);
  }

  /**
   * The value of a schema.
   *
   * @throws EvaluationException when the value does not match its schema
   */
  static Object of(Json value, StructuralSchema schema) {
    if (value == JsonNull.NULL) {
      if (schema.isNullable()) {
        return CelNull.NULL;
      }
      throw new EvaluationException("invalid data, got null for schema with nullable=false");
    }
    if (schema.isIntOrString()) {
      return switch (value) {
        case JsonString text -> text.value();
        case JsonInteger number -> number.value();
        default ->
            throw new EvaluationException(
                "invalid data, expected XIntOrString value to be either a string or integer");
      };
    }
    return switch (schema.type()) {
      case "object" -> new Members(as(JsonObject.class, value), schema, schema.isEmbedded());
      case "array" -> list(as(JsonArray.class, value), schema);
      case "string" -> text(as(JsonString.class, value).value(), schema.format());
      case "number" -> as(JsonNumber.class, value).doubleValue();
      case "integer" -> as(JsonInteger.class, value).value();
      case "boolean" -> value == JsonBool.TRUE;
      default -> new Preserved(value);
    };
  }

  private static <T extends Json> T as(Class<T> type, Json value) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw new EvaluationException("invalid data, does not fit its schema");
  }

  private static Object text(String text, String format) {
    try {
      return switch (format) {
        case "duration" -> OpenApiDuration.parse(text);
        case "date" -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        case "date-time" -> Timestamps.parse(text);
        case "byte" -> new CelBytes(Base64.getDecoder().decode(text));
        default -> text;
      };
    } catch (MalformedValueException | DateTimeException | IllegalArgumentException e) {
      throw new EvaluationException(
          "Invalid " + format + " formatted string " + text + ": " + e.getMessage());
    }
  }

  private static Object list(JsonArray list, StructuralSchema schema) {
    var items = schema.items();
    if (items == null) {
      throw new EvaluationException("invalid array type, expected Items with a non-empty Schema");
    }
    return new Items(list, schema, items);
  }

  /** Any JSON value, which expressions can only compare. */
  private record Preserved(Json value) implements OpaqueValue {
    @Override
    public String typeName() {
      return "unknown";
    }
  }

  /** A struct or a map. */
  private record Members(JsonObject object, StructuralSchema schema, boolean resource)
      implements CelMap {
    private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");
    private static final StructuralSchema TEXT =
        StructuralSchema.of(JsonObject.of("type", "string"));
    private static final StructuralSchema METADATA =
        StructuralSchema.of(
            JsonObject.of(
                "type",
                "object",
                "properties",
                JsonObject.of(
                    "name",
                    JsonObject.of("type", "string"),
                    "generateName",
                    JsonObject.of("type", "string"))));

    private boolean isStruct() {
      return resource || !schema.properties().isEmpty();
    }

    private @Nullable StructuralSchema member(String name) {
      if (resource && TYPE_FIELDS.contains(name)) {
        return TEXT;
      }
      if (resource && name.equals("metadata")) {
        return METADATA;
      }
      var property = schema.properties().get(name);
      return property != null || isStruct() ? property : schema.additional();
    }

    @Override
    public int size() {
      return object.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      if (!(key instanceof String text)) {
        throw EvaluationException.noSuchOverload();
      }
      var name = isStruct() ? FieldNames.unescaped(text) : text;
      var value = object.get(name);
      if (value == null || (isStruct() && value == JsonNull.NULL)) {
        return null;
      }
      var known = member(name);
      return known == null ? null : of(value, known);
    }

    @Override
    public List<Object> keys() {
      var keys = new ArrayList<Object>();
      for (var name : object.keys()) {
        if (member(name) != null) {
          var escaped = isStruct() ? FieldNames.escaped(name) : name;
          keys.add(escaped == null ? name : escaped);
        }
      }
      return keys;
    }

    @Override
    public boolean isSame(Object other) {
      if (!(other instanceof CelMap map)) {
        throw EvaluationException.noSuchOverload();
      }
      if (map.size() != size()) {
        return false;
      }
      for (int i = 0; i < object.size(); i++) {
        var name = object.key(i);
        if (member(name) == null) {
          if (!(other instanceof Members that)) {
            throw EvaluationException.noSuchOverload();
          }
          if (!object.value(i).equals(that.object.get(name))) {
            return false;
          }
          continue;
        }
        var escaped = isStruct() ? FieldNames.escaped(name) : name;
        var mine = find(escaped == null ? name : escaped);
        var theirs = map.find(escaped == null ? name : escaped);
        if (!CelValues.sameOrNone(mine, theirs)) {
          return false;
        }
      }
      return true;
    }
  }

  /** A list; its type decides how it is compared and concatenated. */
  private record Items(JsonArray list, StructuralSchema schema, StructuralSchema itemSchema)
      implements CelList {
    @Override
    public int size() {
      return list.size();
    }

    @Override
    public Object get(int index) {
      return of(list.get(index), itemSchema);
    }

    @Override
    public boolean isSame(Object other) {
      if (!(other instanceof CelList sent)) {
        throw EvaluationException.noSuchOverload();
      }
      if (schema.listType() == StructuralSchema.ListType.SET && !(other instanceof Items)) {
        return sent.size() == size() && isSubset(sent);
      }
      if (!(other instanceof Items that)
          || that.size() != size()
          || schema.listType() == StructuralSchema.ListType.ATOMIC) {
        return CelList.super.isSame(other);
      }
      var mine = byKey(list);
      for (var item : that.list) {
        var found = mine.get(key(item));
        if (found == null || !CelValues.equal(of(found, itemSchema), of(item, itemSchema))) {
          return false;
        }
      }
      return true;
    }

    /** Whether this set contains every item of a list that an expression made. */
    private boolean isSubset(CelList items) {
      for (int i = 0; i < items.size(); i++) {
        if (!has(items.get(i))) {
          return false;
        }
      }
      return true;
    }

    private boolean has(Object item) {
      for (int i = 0; i < size(); i++) {
        if (CelValues.matches(get(i), item)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public CelList plus(CelList more) {
      if (schema.listType() == StructuralSchema.ListType.SET && !(more instanceof Items)) {
        var items = new ArrayList<Json>();
        for (int i = 0; i < more.size(); i++) {
          items.add(JsonValues.toJson(more.get(i)));
        }
        return plus(new Items(JsonArray.of(items), schema, itemSchema));
      }
      if (!(more instanceof Items that) || schema.listType() == StructuralSchema.ListType.ATOMIC) {
        return CelList.super.plus(more);
      }
      var joined = new ArrayList<>(list.asList());
      var places = new HashMap<Object, Integer>();
      for (int i = 0; i < joined.size(); i++) {
        places.put(key(joined.get(i)), i);
      }
      for (var item : that.list) {
        var place = places.putIfAbsent(key(item), joined.size());
        if (place == null) {
          joined.add(item);
        } else if (schema.listType() == StructuralSchema.ListType.MAP) {
          joined.set(place, item);
        }
      }
      return new Items(JsonArray.of(joined), schema, itemSchema);
    }

    private Map<Object, Json> byKey(JsonArray items) {
      var found = new HashMap<Object, Json>();
      items.forEach(item -> found.put(key(item), item));
      return found;
    }

    /** The identity of an item: its keys in a list of type map, else the item itself. */
    private Object key(Json item) {
      if (schema.listType() == StructuralSchema.ListType.SET
          || !(item instanceof JsonObject object)) {
        return item;
      }
      var key = new ArrayList<Object>();
      for (var name : schema.listKeys()) {
        var part = object.get(name);
        key.add(part == null ? JsonNull.NULL : part);
      }
      return key;
    }
  }
}
