package dev.muster.validation.schema;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.CostRange;
import dev.muster.cel.FieldNames;
import dev.muster.cel.Identifiers;
import dev.muster.cel.SizedType;
import dev.muster.cel.StructTypes;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives CEL types from schemas. Not thread-safe. */
public final class SchemaTypes {
  private static final Set<String> META = Set.of("kind", "apiVersion", "metadata");

  private static final long REQUEST_BYTES = 3L * 1024 * 1024;
  private static final long TIME_BYTES = 32;
  private static final long DATE_BYTES = 12;
  private static final Declared TEXT =
      new Declared(SimpleType.STRING, SizedType.sized(REQUEST_BYTES - 2), 2);

  private final Map<String, Map<String, CelType>> structs = new HashMap<>();

  /** A CEL type, its maximum size, and the minimum number of bytes of its JSON. */
  public record Declared(CelType type, SizedType size, long leastBytes) {
    /** How many such values fit into a request. */
    public long mostInRequest() {
      return REQUEST_BYTES / (leastBytes + 1);
    }
  }

  public StructTypes structs() {
    return new StructTypes(Map.copyOf(structs), "");
  }

  /**
   * The type of a schema's values, or null when expressions cannot access them.
   *
   * @param resource whether the schema describes a whole object
   */
  public @Nullable Declared of(JsonObject schema, boolean resource) {
    if (schema.isTrue("x-kubernetes-int-or-string")) {
      return new Declared(SimpleType.DYN, SizedType.sized(length(schema, 4)), 1);
    }
    return switch (schema.string("type")) {
      case "array" -> {
        var items = child(schema, "items");
        if (items == null) {
          yield null;
        }
        long most = limit(schema, "maxItems", (REQUEST_BYTES - 2) / (items.leastBytes() + 1));
        yield new Declared(
            ListType.create(items.type()), SizedType.container(items.size(), most), 2);
      }
      case "object" -> {
        if (!(schema.get("additionalProperties") instanceof JsonObject)) {
          yield struct(schema, resource);
        }
        var values = child(schema, "additionalProperties");
        if (values == null) {
          yield null;
        }
        long most = limit(schema, "maxProperties", (REQUEST_BYTES - 2) / (values.leastBytes() + 6));
        yield new Declared(
            MapType.create(SimpleType.STRING, values.type()),
            SizedType.container(values.size(), most),
            2);
      }
      case "string" ->
          switch (schema.string("format")) {
            case "byte" -> new Declared(SimpleType.BYTES, SizedType.sized(length(schema, 1)), 2);
            case "duration" -> new Declared(SimpleType.DURATION, SizedType.sized(TIME_BYTES), 3);
            case "date" ->
                new Declared(SimpleType.TIMESTAMP, SizedType.sized(DATE_BYTES), DATE_BYTES);
            case "date-time" -> new Declared(SimpleType.TIMESTAMP, SizedType.sized(TIME_BYTES), 21);
            default -> text(schema);
          };
      case "boolean" -> new Declared(SimpleType.BOOL, SizedType.sized(0), 4);
      case "number" -> new Declared(SimpleType.DOUBLE, SizedType.sized(0), 1);
      case "integer" -> new Declared(SimpleType.INT, SizedType.sized(0), 1);
      default -> null;
    };
  }

  private static Declared text(JsonObject schema) {
    var choices = schema.array("enum");
    if (schema.get("maxLength") instanceof JsonInteger || choices.isEmpty()) {
      return new Declared(SimpleType.STRING, SizedType.sized(length(schema, 4)), 2);
    }
    long longest = 0;
    for (var choice : choices) {
      if (choice instanceof JsonString text) {
        longest = Math.max(longest, GoText.bytes(text.value()));
      }
    }
    return new Declared(SimpleType.STRING, SizedType.sized(longest), 2);
  }

  /** A limit in the schema, or else the maximum that fits into a request. */
  private static long limit(JsonObject schema, String field, long otherwise) {
    return schema.get(field) instanceof JsonInteger number
        ? Math.max(number.value(), 0)
        : otherwise;
  }

  /** The maximum length of a string, whose characters may take several bytes each. */
  private static long length(JsonObject schema, long bytes) {
    return schema.get("maxLength") instanceof JsonInteger number
        ? CostRange.product(Math.max(number.value(), 0), bytes)
        : REQUEST_BYTES - 2;
  }

  private @Nullable Declared child(JsonObject schema, String field) {
    return schema.get(field) instanceof JsonObject child ? of(child, isEmbedded(child)) : null;
  }

  private static boolean isEmbedded(JsonObject schema) {
    return schema.isTrue("x-kubernetes-embedded-resource");
  }

  private Declared struct(JsonObject schema, boolean resource) {
    var properties = schema.object("properties");
    var required = schema.array("required").strings();
    var fields = new HashMap<String, CelType>();
    var sizes = new HashMap<String, SizedType>();
    long least = 2;
    for (int i = 0; i < properties.size(); i++) {
      var name = properties.key(i);
      boolean replaced = resource && META.contains(name);
      var declared =
          !replaced && properties.value(i) instanceof JsonObject property
              ? of(property, isEmbedded(property))
              : null;
      if (declared == null) {
        continue;
      }
      var known = FieldNames.escaped(name);
      if (known != null) {
        fields.put(known, declared.type());
        sizes.put(known, declared.size());
      }
      if (Identifiers.isReserved(name)) {
        fields.put(name, declared.type());
      }
      if (required.contains(name) && !properties.object(name).has("default")) {
        least += GoText.bytes(name) + declared.leastBytes() + 4;
      }
    }
    if (resource) {
      for (var name : List.of("kind", "apiVersion")) {
        fields.put(name, TEXT.type());
        sizes.put(name, TEXT.size());
        least += required.contains(name) ? name.length() + TEXT.leastBytes() + 4 : 0;
      }
      var names = Map.of("name", TEXT.size(), "generateName", TEXT.size());
      fields.put("metadata", named(Map.of("name", TEXT.type(), "generateName", TEXT.type())));
      sizes.put("metadata", SizedType.struct(names));
      least += required.contains("metadata") ? "metadata".length() + 2 + 4 : 0;
    }
    return new Declared(named(fields), SizedType.struct(sizes), least);
  }

  private CelType named(Map<String, CelType> fields) {
    var name = "selfType.@" + structs.size();
    structs.put(name, Map.copyOf(fields));
    return StructTypes.of(name);
  }
}
