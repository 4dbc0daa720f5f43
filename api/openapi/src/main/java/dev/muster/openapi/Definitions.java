package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects the definitions of structs and of everything they refer to, in one dialect. Used by one
 * thread.
 */
final class Definitions {
  private static final String OBJECT = "io.k8s.api.core.v1.ConfigMap";
  private static final List<String> IN_EVERY_GROUP = List.of("DeleteOptions", "WatchEvent");

  private final Dialect dialect;
  private final Descriptions descriptions = Descriptions.remembered();
  private final Enums enums = Enums.remembered();
  private final List<GroupVersion> everywhere;
  private final Map<String, List<GroupVersionKind>> kinds = new HashMap<>();
  private final Map<String, Json> found = new TreeMap<>();

  /** What others define, where these definitions are those of a custom resource alone. */
  private final @Nullable Set<String> shared;

  /** How the schemas of custom resources are read that are written as text again; else null. */
  private final @Nullable SchemaText text;

  /**
   * @param everywhere the versions that know the kinds which every group has
   */
  Definitions(Dialect dialect, Collection<GroupVersion> everywhere) {
    this(dialect, everywhere, null, null);
    for (var kind : Schemas.kinds()) {
      var struct = Schemas.of(kind);
      if (struct != null) {
        kinds.computeIfAbsent(struct.name(), name -> new ArrayList<>()).add(kind);
      }
    }
  }

  private Definitions(
      Dialect dialect,
      Collection<GroupVersion> everywhere,
      @Nullable Set<String> shared,
      @Nullable SchemaText text) {
    this.dialect = dialect;
    this.shared = shared;
    this.text = text;
    this.everywhere =
        everywhere.stream()
            .distinct()
            .sorted(Comparator.comparing(GroupVersion::group).thenComparing(GroupVersion::version))
            .toList();
  }

  /**
   * Those of one custom resource, without what they refer to.
   *
   * @param form in which they will be written
   */
  static Definitions ofCustom(Dialect dialect, Fragment.Form form, ResourceType type) {
    var text = form == Fragment.Form.JSON ? new SchemaText(dialect) : null;
    var definitions = new Definitions(dialect, List.of(), new TreeSet<>(), text);
    definitions.name(type.shape(), type.kind());
    return definitions;
  }

  /** The names of definitions that these refer to and do not hold. */
  Set<String> shared() {
    return shared == null ? Set.of() : Set.copyOf(shared);
  }

  /** Adds what is built in under those names. */
  void addShared(Collection<String> names) {
    for (var name : names) {
      if (Schemas.isBuiltIn(name)) {
        add(Schemas.struct(name));
      } else {
        SpecialTypes.named(name).ifPresent(this::add);
      }
    }
  }

  /** A struct of a kind that is not built in. */
  void name(StructShape struct, GroupVersionKind kind) {
    kinds.putIfAbsent(struct.name(), List.of(kind));
  }

  /** Adds the definition of a struct and of all that it refers to, once. */
  String add(StructShape struct) {
    if (shared != null && !struct.isPublished()) {
      shared.add(struct.name());
      return struct.name();
    }
    if (!found.containsKey(struct.name())) {
      found.put(struct.name(), JsonObject.EMPTY);
      var published = struct.published();
      found.put(
          struct.name(),
          published == null
              ? definition(struct)
              : new CustomDefinition(dialect, this).of(read(published), groupVersionKinds(struct)));
    }
    return struct.name();
  }

  private JsonObject read(byte[] schema) {
    return text == null ? (JsonObject) JsonReader.read(schema) : text.read(schema);
  }

  /** Adds the definition of the lists of a kind that is not built in. */
  String addList(ResourceType type) {
    var name = listName(type);
    if (!found.containsKey(name)) {
      var item = add(type.shape());
      var definition = found.get(item) instanceof JsonObject kind ? kind : JsonObject.EMPTY;
      found.put(name, new CustomDefinition(dialect, this).list(type, item, definition));
    }
    return name;
  }

  private static String listName(ResourceType type) {
    var name = type.shape().name();
    return name.substring(0, name.lastIndexOf('.') + 1) + type.listKindName();
  }

  /** A property that all objects have, such as their kind. */
  JsonObject common(String name) {
    var struct = Schemas.struct(OBJECT);
    int position = struct.indexOf(name);
    return property(struct, struct.field(position), descriptions.of(struct, position));
  }

  /** All of them; of custom resources that are written as text, only {@link #write} knows all. */
  JsonObject all() {
    var all = JsonObject.builder();
    found.forEach(all::append);
    return all.build();
  }

  /** Writes all of them as JSON. */
  void write(Bytes out) {
    if (text == null) {
      new JsonWriter(out).write(all());
    } else {
      text.write(all(), out);
    }
  }

  private JsonObject definition(StructShape struct) {
    var schema = JsonObject.builder();
    schema.putIf("description", descriptions.of(struct));
    var properties = new TreeMap<String, Json>();
    var required = new ArrayList<String>();
    for (int i = 0; i < struct.size(); i++) {
      var field = struct.field(i);
      properties.put(field.name(), property(struct, field, descriptions.of(struct, i)));
      if (field.required()) {
        required.add(field.name());
      }
    }
    if (!properties.isEmpty()) {
      var members = JsonObject.builder();
      properties.forEach(members::append);
      schema.put("properties", members.build());
    }
    if (!required.isEmpty()) {
      schema.put("required", JsonArray.ofStrings(required));
    }
    schema.put("type", "object");
    var named = groupVersionKinds(struct);
    if (!named.isEmpty()) {
      schema.put("x-kubernetes-group-version-kind", named);
    }
    if (Schemas.isBuiltIn(struct.name())
        ? Schemas.struct(struct.name()).atomic()
        : struct.atomic()) {
      schema.put("x-kubernetes-map-type", "atomic");
    }
    ExtraMarks.ofStruct(struct.name(), schema);
    return schema.build();
  }

  private JsonArray groupVersionKinds(StructShape struct) {
    var list = kinds.getOrDefault(struct.name(), List.of());
    if (!list.isEmpty() && IN_EVERY_GROUP.contains(list.getFirst().kind())) {
      var kind = list.getFirst().kind();
      list = inEveryGroup(kind);
    } else if (struct.simpleName().equals("WatchEvent")) {
      list = inEveryGroup("WatchEvent");
    }
    return JsonArray.of(
        list.stream()
            .map(
                kind ->
                    JsonObject.of(
                        "group", kind.group(), "kind", kind.kind(), "version", kind.version()))
            .toList());
  }

  private List<GroupVersionKind> inEveryGroup(String kind) {
    return everywhere.stream().map(version -> version.kind(kind)).toList();
  }

  private JsonObject property(StructShape owner, Field field, String description) {
    var schema = JsonObject.builder();
    schema.putIf("description", description);
    shape(owner, field.shape(), enums.of(owner.name(), field.name()), schema);
    ExtraMarks.ofField(owner.name(), field.name(), schema);
    var given = field.defaultValue();
    if (given != null) {
      dialect.defaultValue(schema, given);
    } else if (field.whenEmpty() == Field.WhenEmpty.ZERO) {
      zero(field.shape(), schema);
    }
    var patch = field.patch();
    if (!patch.mergeKey().isEmpty()) {
      schema.put("x-kubernetes-patch-merge-key", patch.mergeKey());
    }
    var strategies = new ArrayList<String>();
    if (patch.merge()) {
      strategies.add("merge");
    }
    if (patch.replace()) {
      strategies.add("replace");
    }
    if (patch.retainKeys()) {
      strategies.add("retainKeys");
    }
    schema.putIf("x-kubernetes-patch-strategy", String.join(",", strategies));
    return dialect.simplified(schema.build());
  }

  private void zero(Shape shape, JsonObject.Builder schema) {
    switch (shape) {
      case StructShape ignored -> dialect.defaultValue(schema, JsonObject.EMPTY);
      case Scalar scalar -> {
        switch (scalar) {
          case STRING -> dialect.defaultValue(schema, Json.of(""));
          case BOOLEAN -> dialect.defaultValue(schema, Json.of(false));
          case INT32, INT64 -> dialect.defaultValue(schema, Json.of(0));
          default -> {}
        }
      }
      case ListShape ignored -> {}
      case MapShape ignored -> {}
    }
  }

  private JsonObject member(StructShape owner, Shape shape, JsonArray values) {
    var schema = JsonObject.builder();
    shape(owner, shape, values, schema);
    zero(shape, schema);
    return dialect.simplified(schema.build());
  }

  /**
   * @param values the texts that there may be, empty for any
   */
  private void shape(StructShape owner, Shape shape, JsonArray values, JsonObject.Builder schema) {
    switch (shape) {
      case StructShape struct -> {
        dialect.reference(schema, add(struct));
        if (Schemas.isBuiltIn(struct.name())
            && Schemas.struct(struct.name()).atomic()
            && !struct.atomic()) {
          schema.put("x-kubernetes-map-type", "granular");
        }
      }
      case ListShape list -> {
        schema.put("items", member(owner, list.items(), values));
        schema.put("type", "array");
        if (!list.keys().isEmpty()) {
          schema.put("x-kubernetes-list-map-keys", JsonArray.ofStrings(list.keys()));
        }
        if (list.declared()) {
          schema.put(
              "x-kubernetes-list-type",
              switch (list.kind()) {
                case ATOMIC -> "atomic";
                case SET -> "set";
                case MAP -> "map";
              });
        }
      }
      case MapShape map -> {
        schema.put("additionalProperties", member(owner, map.values(), values));
        schema.put("type", "object");
        if (map.atomic()) {
          schema.put("x-kubernetes-map-type", "atomic");
        }
      }
      case Scalar scalar -> {
        scalar(owner, scalar, schema);
        if (!values.isEmpty()) {
          schema.put("enum", values);
        }
      }
    }
  }

  private void scalar(StructShape owner, Scalar scalar, JsonObject.Builder schema) {
    switch (scalar) {
      case STRING -> schema.put("type", "string");
      case BOOLEAN -> schema.put("type", "boolean");
      case INT32 -> schema.put("format", "int32").put("type", "integer");
      case INT64 -> schema.put("format", "int64").put("type", "integer");
      case DOUBLE -> schema.put("format", "double").put("type", "number");
      case BYTES -> schema.put("format", "byte").put("type", "string");
      default -> {
        var special = SpecialTypes.of(owner, scalar);
        dialect.reference(schema, add(special));
      }
    }
  }

  /** Adds a definition that is no struct of ours. */
  String add(SpecialTypes special) {
    if (shared != null) {
      shared.add(special.definition());
      return special.definition();
    }
    found.computeIfAbsent(special.definition(), name -> special.schema(dialect));
    return special.definition();
  }
}
