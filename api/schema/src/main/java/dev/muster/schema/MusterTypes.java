package dev.muster.schema;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field.WhenEmpty;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads {@code own-types.json}, the OpenAPI definitions of Muster's own kinds. They may refer to
 * one another and to Kubernetes' structs. {@code x-protobuf} is a field's number in protobuf.
 */
public final class MusterTypes {
  private static final JsonObject DEFINITIONS = load();

  private final Map<String, StructShape> structs = new HashMap<>();
  private final Function<String, StructShape> others;

  private MusterTypes(Function<String, StructShape> others) {
    this.others = others;
  }

  /** The definitions as in the file, with their descriptions. */
  public static JsonObject definitions() {
    return DEFINITIONS;
  }

  private static JsonObject load() {
    try (var in = MusterTypes.class.getResourceAsStream("own-types.json")) {
      if (in == null) {
        throw new IllegalStateException("the own types are missing from this build");
      }
      return (JsonObject) JsonReader.read(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the own types", e);
    }
  }

  /**
   * @param others returns the struct of a Kubernetes definition by name
   */
  static SchemaFileReader.Content read(Function<String, StructShape> others) {
    return new MusterTypes(others).content();
  }

  private SchemaFileReader.Content content() {
    var inOrder = new ArrayList<StructShape>();
    var kinds = new HashMap<GroupVersionKind, StructShape>();
    for (var name : DEFINITIONS.keys()) {
      var struct = new StructShape(name, false);
      structs.put(name, struct);
      inOrder.add(struct);
      var kind = DEFINITIONS.object(name).object("x-kubernetes-group-version-kind");
      if (!kind.isEmpty()) {
        kinds.put(
            new GroupVersionKind(kind.string("group"), kind.string("version"), kind.string("kind")),
            struct);
      }
    }
    inOrder.forEach(struct -> struct.define(fields(DEFINITIONS.object(struct.name()))));
    return new SchemaFileReader.Content(inOrder, kinds);
  }

  private List<Field> fields(JsonObject definition) {
    var required = definition.array("required").strings();
    var properties = definition.object("properties");
    var fields = new ArrayList<Field>();
    for (var name : properties.keys()) {
      var property = properties.object(name);
      var shape = shape(property);
      boolean needed = required.contains(name);
      fields.add(
          new Field(
              name,
              (int) property.integer("x-protobuf", 0),
              shape,
              needed,
              whenEmpty(shape, needed),
              null,
              Field.Patch.NONE,
              Field.Go.PLAIN));
    }
    return fields;
  }

  private static WhenEmpty whenEmpty(Shape shape, boolean needed) {
    return switch (shape) {
      case StructShape ignored -> WhenEmpty.ZERO;
      case ListShape ignored -> needed ? WhenEmpty.NULL : WhenEmpty.OMIT;
      case MapShape ignored -> WhenEmpty.OMIT;
      case Scalar scalar ->
          scalar == Scalar.TIME ? WhenEmpty.NULL : needed ? WhenEmpty.ZERO : WhenEmpty.OMIT;
    };
  }

  private Shape shape(JsonObject schema) {
    var reference = schema.string("$ref");
    if (!reference.isEmpty()) {
      var own = structs.get(reference);
      return own != null ? own : others.apply(reference);
    }
    return switch (schema.string("type")) {
      case "array" ->
          schema.has("x-kubernetes-list-type")
              ? new ListShape(
                  shape(schema.object("items")),
                  ListShape.Kind.valueOf(
                      schema.string("x-kubernetes-list-type").toUpperCase(Locale.ROOT)),
                  schema.array("x-kubernetes-list-map-keys").strings())
              : new ListShape(
                  shape(schema.object("items")), ListShape.Kind.ATOMIC, List.of(), false, false);
      case "string" -> schema.string("format").equals("date-time") ? Scalar.TIME : Scalar.STRING;
      case "boolean" -> Scalar.BOOLEAN;
      case "integer" -> schema.string("format").equals("int32") ? Scalar.INT32 : Scalar.INT64;
      default -> throw new IllegalArgumentException("no shape for " + schema);
    };
  }
}
