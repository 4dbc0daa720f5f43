package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The published form of a schema that somebody wrote for a kind of their own: with the properties
 * that all objects have and, in version 2, without what that version or its readers cannot cope
 * with. Used by one thread.
 */
final class CustomDefinition {
  private static final String KINDS = "x-kubernetes-group-version-kind";
  private static final String SELECTABLE = "x-kubernetes-selectable-fields";
  private static final String KEEPS = "x-kubernetes-preserve-unknown-fields";
  private static final JsonArray INT_OR_STRING =
      JsonArray.of(JsonObject.of("type", "integer"), JsonObject.of("type", "string"));
  private static final JsonObject WITHIN = JsonObject.of("anyOf", INT_OR_STRING);
  private static final List<String> JUNCTORS = List.of("allOf", "oneOf", "anyOf", "not");

  /** What a schema may have without being any different when it is published. */
  private static final Set<String> PLAIN =
      Set.of(
          "default",
          "description",
          "enum",
          "format",
          "maxLength",
          "maximum",
          "minLength",
          "minimum",
          "pattern");

  private final Dialect dialect;
  private final Definitions definitions;

  CustomDefinition(Dialect dialect, Definitions definitions) {
    this.dialect = dialect;
    this.definitions = definitions;
  }

  /** The definition of a kind. */
  JsonObject of(JsonObject schema, JsonArray kinds) {
    boolean open = dialect == Dialect.V2 && schema.isTrue(KEEPS);
    var published = open ? JsonObject.of("type", "object") : resource(part(schema));
    return selectable(published.with(KINDS, kinds), schema);
  }

  /** With the selectable fields that the other one names. */
  private static JsonObject selectable(JsonObject published, JsonObject other) {
    var fields = other.get(SELECTABLE);
    return fields == null ? published : published.with(SELECTABLE, fields);
  }

  /** A whole object, whose kind and metadata its schema need not name. */
  private JsonObject resource(JsonObject schema) {
    var properties = schema.object("properties");
    for (var name : List.of("apiVersion", "kind", "metadata")) {
      properties = properties.with(name, common(name));
    }
    return schema.with("properties", properties);
  }

  /** What all objects have; here it has no default, unlike in built-in kinds. */
  private JsonObject common(String name) {
    return dialect.simplified(definitions.common(name).without("default"));
  }

  private JsonObject part(JsonObject schema) {
    if (isPlain(schema)) {
      return dialect == Dialect.V2 ? schema.without("default") : schema;
    }
    var published = dialect == Dialect.V2 ? reduced(schema) : unfolded(schema);
    published = published.mapValues(this::member);
    if (!schema.isTrue("x-kubernetes-embedded-resource")
        || (dialect == Dialect.V2 && schema.isTrue(KEEPS))) {
      return published;
    }
    var required = new ArrayList<>(published.array("required").strings());
    for (var name : List.of("kind", "apiVersion")) {
      if (!required.contains(name)) {
        required.add(name);
      }
    }
    return resource(published).with("required", JsonArray.ofStrings(required));
  }

  /** Most schemas are: a scalar with its description. */
  private static boolean isPlain(JsonObject schema) {
    for (int i = 0; i < schema.size(); i++) {
      boolean plain =
          PLAIN.contains(schema.key(i))
              || (schema.key(i).equals("type") && !schema.string("type").equals("array"));
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  private Json member(String keyword, Json value) {
    return switch (keyword) {
      case "properties" ->
          value instanceof JsonObject properties
              ? properties.mapValues(
                  (name, property) -> property instanceof JsonObject part ? part(part) : property)
              : value;
      case "items", "additionalProperties" -> value instanceof JsonObject part ? part(part) : value;
      default -> value;
    };
  }

  /** Says in the words of JSON schemas what only the mark says, for readers that do not know it. */
  private static JsonObject unfolded(JsonObject schema) {
    if (!schema.isTrue("x-kubernetes-int-or-string")) {
      return schema;
    }
    var all = schema.array("allOf");
    boolean said =
        INT_OR_STRING.equals(schema.array("anyOf"))
            || (!all.isEmpty() && WITHIN.equals(all.get(0)));
    if (said) {
      return schema;
    }
    if (!schema.has("anyOf")) {
      return schema.with("anyOf", INT_OR_STRING);
    }
    var parts = new ArrayList<Json>();
    parts.add(WITHIN);
    all.forEach(parts::add);
    return schema.with("allOf", JsonArray.of(parts));
  }

  /** Without what version 2 does not know, and kubectl stumbles over. */
  private static JsonObject reduced(JsonObject schema) {
    var result = schema.without("default");
    for (var junctor : JUNCTORS) {
      result = result.without(junctor);
    }
    boolean nullable = schema.isTrue("nullable");
    boolean keeps = schema.isTrue(KEEPS);
    if (nullable || keeps) {
      result = result.without("nullable").without("items").without("properties");
    }
    boolean bare =
        nullable
            || (keeps && schema.string("type").equals("object"))
            || (schema.string("type").equals("array") && !result.has("items"));
    return withoutNullable(bare ? result.without("type") : result);
  }

  /** What may be null need not be there. */
  private static JsonObject withoutNullable(JsonObject schema) {
    if (!schema.has("required")) {
      return schema;
    }
    var properties = schema.object("properties");
    var required =
        schema.array("required").strings().stream()
            .filter(name -> !properties.object(name).isTrue("nullable"))
            .toList();
    return required.isEmpty()
        ? schema.without("required")
        : schema.with("required", JsonArray.ofStrings(required));
  }

  /**
   * The definition of the lists of a kind.
   *
   * @param item the name of the kind's own definition
   */
  JsonObject list(ResourceType type, String item, JsonObject definition) {
    var metadata = JsonObject.builder();
    metadata.put("description", "What is said about the list as a whole.");
    dialect.reference(metadata, definitions.add(Schemas.struct(Schemas.META + "ListMeta")));
    var list =
        JsonObject.of(
            "description",
            type.listKindName() + " is a list of " + type.kind().kind(),
            "properties",
            JsonObject.of(
                "apiVersion",
                definitions.common("apiVersion"),
                "items",
                JsonObject.of(
                    "description",
                    "The " + type.plural() + " of the list.",
                    "items",
                    dialect.reference(item),
                    "type",
                    "array"),
                "kind",
                definitions.common("kind"),
                "metadata",
                metadata.build()),
            "required",
            JsonArray.ofStrings(List.of("items")),
            "type",
            "object",
            KINDS,
            JsonArray.of(
                JsonObject.of(
                    "group",
                    type.kind().group(),
                    "kind",
                    type.listKindName(),
                    "version",
                    type.kind().version())));
    return selectable(list, definition);
  }
}
