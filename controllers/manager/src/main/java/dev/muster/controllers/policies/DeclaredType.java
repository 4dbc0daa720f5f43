package dev.muster.controllers.policies;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.FieldNames;
import dev.muster.cel.Identifiers;
import dev.muster.cel.StructTypes;
import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The CEL type of the objects of a kind, from its OpenAPI schema.
 *
 * @param structs fields by struct name; {@code v1.Pod.spec} is a field of {@code v1.Pod}
 */
record DeclaredType(CelType type, Map<String, Map<String, CelType>> structs) {
  private static final String REFERENCE = "#/components/schemas/";
  private static final List<String> TEXTS = List.of("apiVersion", "kind");
  private static final List<String> NAMES = List.of("name", "generateName");

  /**
   * Reads a schema.
   *
   * @param name of the struct of a whole object
   * @param components the schemas that it may refer to
   */
  static DeclaredType of(String name, JsonObject schema, JsonObject components) {
    var reader = new Reader(components);
    var type = reader.read(name, schema, true);
    return new DeclaredType(type == null ? SimpleType.DYN : type, Map.copyOf(reader.structs));
  }

  /** Reads one schema with all schemas that it refers to. */
  private static final class Reader {
    private final JsonObject components;
    private final Map<String, Map<String, CelType>> structs = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    Reader(JsonObject components) {
      this.components = components;
    }

    /** The type, or null when CEL has no type for such values. */
    @Nullable CelType read(String name, JsonObject schema, boolean resource) {
      var reference = reference(schema);
      if (reference.isEmpty()) {
        return declare(name, schema, resource);
      }
      if (!open.add(reference)) {
        return struct(name, Map.of());
      }
      var type = declare(name, components.object(reference), resource);
      open.remove(reference);
      return type;
    }

    /** A reference with further attributes is wrapped in {@code allOf}. */
    private static String reference(JsonObject schema) {
      var direct = schema.string("$ref");
      if (!direct.isEmpty()) {
        return direct.startsWith(REFERENCE) ? direct.substring(REFERENCE.length()) : direct;
      }
      for (var part : schema.array("allOf").objects()) {
        var inner = reference(part);
        if (!inner.isEmpty()) {
          return inner;
        }
      }
      return "";
    }

    private @Nullable CelType declare(String name, JsonObject schema, boolean resource) {
      if (schema.isTrue("x-kubernetes-int-or-string")
          || schema.string("format").equals("int-or-string")) {
        return SimpleType.DYN;
      }
      return switch (schema.string("type")) {
        case "array" -> {
          var items = part(schema, "items", name + ".@idx");
          yield items == null ? null : ListType.create(items);
        }
        case "object" -> {
          if (!(schema.get("additionalProperties") instanceof JsonObject)) {
            yield object(name, schema, resource);
          }
          var values = part(schema, "additionalProperties", name + ".@elem");
          yield values == null ? null : MapType.create(SimpleType.STRING, values);
        }
        case "string" ->
            switch (schema.string("format")) {
              case "byte" -> SimpleType.BYTES;
              case "duration" -> SimpleType.DURATION;
              case "date", "date-time" -> SimpleType.TIMESTAMP;
              default -> SimpleType.STRING;
            };
        case "boolean" -> SimpleType.BOOL;
        case "number" -> SimpleType.DOUBLE;
        case "integer" -> SimpleType.INT;
        // A quantity is a text or a number; upstream treats it as an unknown field.
        case "" -> schema.array("oneOf").isEmpty() ? null : SimpleType.DYN;
        default -> null;
      };
    }

    private @Nullable CelType part(JsonObject schema, String field, String name) {
      return schema.get(field) instanceof JsonObject part ? read(name, part, embedded(part)) : null;
    }

    private static boolean embedded(JsonObject schema) {
      return schema.isTrue("x-kubernetes-embedded-resource");
    }

    private CelType object(String name, JsonObject schema, boolean resource) {
      var fields = new HashMap<String, CelType>();
      var properties = schema.object("properties");
      for (int i = 0; i < properties.size(); i++) {
        var field = properties.key(i);
        var known = FieldNames.escaped(field);
        if (known == null || !(properties.value(i) instanceof JsonObject property)) {
          continue;
        }
        var type = read(name + "." + known, property, embedded(property));
        if (type != null) {
          fields.put(known, type);
          if (Identifiers.isReserved(field)) {
            fields.put(field, type);
          }
        }
      }
      if (resource) {
        withMetadata(name, fields);
      }
      return struct(name, fields);
    }

    /** Adds the metadata fields that every object has, whatever its schema. */
    private void withMetadata(String name, Map<String, CelType> fields) {
      var metadata = structs.getOrDefault(name + ".metadata", Map.of());
      if (!fields.keySet().containsAll(TEXTS) || !metadata.keySet().containsAll(NAMES)) {
        TEXTS.forEach(field -> fields.put(field, SimpleType.STRING));
        var names = new HashMap<String, CelType>();
        NAMES.forEach(field -> names.put(field, SimpleType.STRING));
        fields.put("metadata", struct(name + ".metadata", names));
      }
    }

    private CelType struct(String name, Map<String, CelType> fields) {
      structs.put(name, Map.copyOf(fields));
      return StructTypes.of(name);
    }
  }
}
