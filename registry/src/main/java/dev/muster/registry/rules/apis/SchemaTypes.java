package dev.muster.registry.rules.apis;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.model.JsonObject;
import dev.muster.schema.cel.Identifiers;
import dev.muster.schema.cel.StructTypes;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types that expressions see in values of a schema. Not for several threads. */
final class SchemaTypes {
  private static final Pattern SPECIAL = Pattern.compile("__|[./-]");

  private final Map<String, Map<String, CelType>> structs = new HashMap<>();

  StructTypes structs() {
    return new StructTypes(Map.copyOf(structs), "");
  }

  /**
   * The type of a schema's values, or null when expressions cannot look at them.
   *
   * @param resource whether it is the schema of a whole object
   */
  @Nullable CelType of(JsonObject schema, boolean resource) {
    if (schema.isTrue("x-kubernetes-int-or-string")) {
      return SimpleType.DYN;
    }
    return switch (schema.string("type")) {
      case "array" -> {
        var items = child(schema, "items");
        yield items == null ? null : ListType.create(items);
      }
      case "object" -> {
        if (schema.get("additionalProperties") instanceof JsonObject) {
          var values = child(schema, "additionalProperties");
          yield values == null ? null : MapType.create(SimpleType.STRING, values);
        }
        yield struct(schema.object("properties"), resource);
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
      default -> null;
    };
  }

  private @Nullable CelType child(JsonObject schema, String field) {
    return schema.get(field) instanceof JsonObject child ? of(child, isEmbedded(child)) : null;
  }

  private static boolean isEmbedded(JsonObject schema) {
    return schema.isTrue("x-kubernetes-embedded-resource");
  }

  private CelType struct(JsonObject properties, boolean resource) {
    var fields = new HashMap<String, CelType>();
    for (int i = 0; i < properties.size(); i++) {
      var name = escaped(properties.key(i));
      if (name != null && properties.value(i) instanceof JsonObject property) {
        var type = of(property, isEmbedded(property));
        if (type != null) {
          fields.put(name, type);
        }
      }
    }
    if (resource) {
      fields.put("kind", SimpleType.STRING);
      fields.put("apiVersion", SimpleType.STRING);
      fields.put(
          "metadata", named(Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
    }
    return named(fields);
  }

  private CelType named(Map<String, CelType> fields) {
    var name = "object" + structs.size();
    structs.put(name, Map.copyOf(fields));
    return StructTypes.of(name);
  }

  /** The name under which expressions know a property; null when they cannot. */
  static @Nullable String escaped(String name) {
    if (Identifiers.isReserved(name)) {
      return "__" + name + "__";
    }
    var escaped =
        SPECIAL
            .matcher(name)
            .replaceAll(
                found ->
                    switch (found.group()) {
                      case "__" -> "__underscores__";
                      case "." -> "__dot__";
                      case "-" -> "__dash__";
                      default -> "__slash__";
                    });
    return Identifiers.isWellFormed(escaped) ? escaped : null;
  }
}
