package dev.muster.schema.structural;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.muster.model.RegexSize;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a custom resource or of a part of it, parsed once to validate many values.
 * Immutable.
 */
public final class StructuralSchema {
  /** How the items of a list are identified. */
  public enum ListType {
    ATOMIC,
    SET,
    MAP
  }

  /** A pattern; one that cannot be compiled matches nothing. */
  record TextPattern(String text, @Nullable Pattern compiled) {
    static TextPattern of(String text) {
      if (RegexSize.isTooLarge(text)) {
        return new TextPattern(text, null);
      }
      try {
        return new TextPattern(text, Pattern.compile(text));
      } catch (PatternSyntaxException e) {
        return new TextPattern(text, null);
      }
    }

    boolean matches(String value) {
      return compiled != null && compiled.matcher(value).find();
    }
  }

  /** Limits of a size; -1 for no limit. */
  record Sizes(long least, long most) {
    static Sizes of(JsonObject schema, String least, String most) {
      return new Sizes(size(schema, least), size(schema, most));
    }

    private static long size(JsonObject schema, String name) {
      return schema.get(name) instanceof JsonInteger number ? number.value() : -1;
    }
  }

  /** Limits of a number. */
  record Bounds(
      @Nullable JsonNumber minimum,
      boolean aboveMinimum,
      @Nullable JsonNumber maximum,
      boolean belowMaximum,
      @Nullable JsonNumber factor) {
    static Bounds of(JsonObject schema) {
      return new Bounds(
          number(schema, "minimum"),
          schema.isTrue("exclusiveMinimum"),
          number(schema, "maximum"),
          schema.isTrue("exclusiveMaximum"),
          number(schema, "multipleOf"));
    }

    private static @Nullable JsonNumber number(JsonObject schema, String name) {
      return schema.get(name) instanceof JsonNumber number ? number : null;
    }
  }

  /** Further schemas that apply to a value. */
  record Junctors(
      List<StructuralSchema> allOf,
      List<StructuralSchema> anyOf,
      List<StructuralSchema> oneOf,
      @Nullable StructuralSchema not) {
    static @Nullable Junctors of(JsonObject schema) {
      boolean any =
          schema.has("allOf") || schema.has("anyOf") || schema.has("oneOf") || schema.has("not");
      return any
          ? new Junctors(
              all(schema, "allOf"),
              all(schema, "anyOf"),
              all(schema, "oneOf"),
              child(schema, "not"))
          : null;
    }

    private static List<StructuralSchema> all(JsonObject schema, String name) {
      return schema.array(name).objects().stream().map(StructuralSchema::of).toList();
    }
  }

  private final String type;
  private final String format;
  private final boolean nullable;
  private final boolean intOrString;
  private final boolean keepsUnknown;
  private final boolean embedded;
  private final boolean allowsAdditional;
  private final boolean forbidsAdditional;
  private final boolean uniqueItems;
  private final boolean atomicMap;
  private final ListType listType;
  private final List<String> listKeys;
  private final List<String> required;
  private final Map<String, StructuralSchema> properties;
  private final @Nullable StructuralSchema additional;
  private final @Nullable StructuralSchema items;
  private final @Nullable Json defaultValue;
  private final boolean hasDefaults;
  private final boolean hasListTypes;
  private final List<JsonObject> rules;
  private final JsonArray choices;
  private final @Nullable TextPattern pattern;
  private final Sizes length;
  private final Sizes itemCount;
  private final Sizes propertyCount;
  private final Bounds bounds;
  private final @Nullable Junctors junctors;

  private StructuralSchema(JsonObject schema) {
    type = schema.string("type");
    format = schema.string("format");
    nullable = schema.isTrue("nullable");
    intOrString = schema.isTrue("x-kubernetes-int-or-string");
    keepsUnknown = schema.isTrue("x-kubernetes-preserve-unknown-fields");
    embedded = schema.isTrue("x-kubernetes-embedded-resource");
    allowsAdditional = schema.isTrue("additionalProperties");
    forbidsAdditional = schema.get("additionalProperties") == JsonBool.FALSE;
    uniqueItems = schema.isTrue("uniqueItems");
    atomicMap = schema.string("x-kubernetes-map-type").equals("atomic");
    listType =
        switch (schema.string("x-kubernetes-list-type")) {
          case "set" -> ListType.SET;
          case "map" -> ListType.MAP;
          default -> ListType.ATOMIC;
        };
    listKeys = schema.array("x-kubernetes-list-map-keys").strings();
    required = schema.array("required").strings();
    properties = properties(schema.object("properties"));
    additional = child(schema, "additionalProperties");
    items = child(schema, "items");
    var filled = schema.get("default");
    defaultValue = filled == JsonNull.NULL ? null : filled;
    hasDefaults = defaultValue != null || anyChild(part -> part.hasDefaults);
    hasListTypes = listType != ListType.ATOMIC || anyChild(part -> part.hasListTypes);
    rules = schema.array("x-kubernetes-validations").objects();
    choices = schema.array("enum");
    pattern = schema.string("pattern").isEmpty() ? null : TextPattern.of(schema.string("pattern"));
    length = Sizes.of(schema, "minLength", "maxLength");
    itemCount = Sizes.of(schema, "minItems", "maxItems");
    propertyCount = Sizes.of(schema, "minProperties", "maxProperties");
    bounds = Bounds.of(schema);
    junctors = Junctors.of(schema);
  }

  public static StructuralSchema of(JsonObject schema) {
    return new StructuralSchema(schema);
  }

  private static Map<String, StructuralSchema> properties(JsonObject schemas) {
    if (schemas.isEmpty()) {
      return Map.of();
    }
    var all = new LinkedHashMap<String, StructuralSchema>();
    for (int i = 0; i < schemas.size(); i++) {
      if (schemas.value(i) instanceof JsonObject schema) {
        all.put(schemas.key(i), of(schema));
      }
    }
    return all;
  }

  private static @Nullable StructuralSchema child(JsonObject schema, String name) {
    return schema.get(name) instanceof JsonObject child ? of(child) : null;
  }

  private boolean anyChild(Predicate<StructuralSchema> test) {
    return (additional != null && test.test(additional))
        || (items != null && test.test(items))
        || properties.values().stream().anyMatch(test);
  }

  public String type() {
    return type;
  }

  public String format() {
    return format;
  }

  public boolean isNullable() {
    return nullable;
  }

  public boolean isIntOrString() {
    return intOrString;
  }

  /** Whether fields that the schema does not know are preserved. */
  public boolean keepsUnknown() {
    return keepsUnknown;
  }

  /** Whether its values are whole objects, with kind and metadata. */
  public boolean isEmbedded() {
    return embedded;
  }

  /** Whether members without a schema are allowed by name: {@code additionalProperties: true}. */
  public boolean allowsAdditional() {
    return allowsAdditional;
  }

  boolean forbidsAdditional() {
    return forbidsAdditional;
  }

  boolean hasUniqueItems() {
    return uniqueItems;
  }

  /** Whether a map or struct is owned and changed as one value. */
  public boolean isAtomicMap() {
    return atomicMap;
  }

  public ListType listType() {
    return listType;
  }

  /** The fields that identify the items of a list. */
  public List<String> listKeys() {
    return listKeys;
  }

  List<String> required() {
    return required;
  }

  /** The known fields, in the order of the schema. */
  public Map<String, StructuralSchema> properties() {
    return properties;
  }

  public @Nullable StructuralSchema additional() {
    return additional;
  }

  public @Nullable StructuralSchema items() {
    return items;
  }

  /** The schema of the member of that name, or null. */
  public @Nullable StructuralSchema member(String name) {
    var property = properties.get(name);
    return property == null ? additional : property;
  }

  /** The default value, or null. */
  public @Nullable Json defaultValue() {
    return defaultValue;
  }

  boolean hasDefaults() {
    return hasDefaults;
  }

  boolean hasListTypes() {
    return hasListTypes;
  }

  /** The CEL rules for values, as the definition has them. */
  public List<JsonObject> rules() {
    return rules;
  }

  JsonArray choices() {
    return choices;
  }

  @Nullable TextPattern pattern() {
    return pattern;
  }

  Sizes length() {
    return length;
  }

  Sizes itemCount() {
    return itemCount;
  }

  Sizes propertyCount() {
    return propertyCount;
  }

  Bounds bounds() {
    return bounds;
  }

  @Nullable Junctors junctors() {
    return junctors;
  }

  /** The schemas of which a value must match all. */
  public List<StructuralSchema> allOf() {
    return junctors == null ? List.of() : junctors.allOf();
  }
}
