package dev.muster.registry.custom;

import dev.muster.model.json.Json;
import dev.muster.schema.Field;
import dev.muster.schema.Field.WhenEmpty;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.validation.schema.SentMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates the schema of a custom resource to the struct shape that server-side apply uses. */
final class SchemaShapes {
  private SchemaShapes() {}

  /** The top-level fields of objects. */
  static List<Field> root(VersionSchema schema) {
    return fields(schema.structural(), true, schema.isOpen());
  }

  /**
   * @param resource whether the schema describes a whole object, with kind and metadata
   * @param keeps whether undeclared fields are preserved, here and below
   */
  private static List<Field> fields(StructuralSchema schema, boolean resource, boolean keeps) {
    var fields = new ArrayList<Field>();
    if (resource) {
      fields.add(field("apiVersion", Scalar.STRING, null));
      fields.add(field("kind", Scalar.STRING, null));
      fields.add(field("metadata", SentMetadata.SHAPE, null));
    }
    schema
        .properties()
        .forEach(
            (name, part) -> {
              boolean known =
                  resource
                      && (name.equals("apiVersion")
                          || name.equals("kind")
                          || name.equals("metadata"));
              if (!known) {
                fields.add(field(name, shape(part, keeps), part.defaultValue()));
              }
            });
    return fields;
  }

  private static Field field(String name, Shape shape, @Nullable Json defaultValue) {
    return new Field(
        name, 0, shape, false, WhenEmpty.KEEP, defaultValue, Field.Patch.NONE, Field.Go.PLAIN);
  }

  private static Shape shape(StructuralSchema schema, boolean keptAbove) {
    boolean keeps = keptAbove || schema.keepsUnknown();
    if (schema.isIntOrString()) {
      return keeps ? StructShape.FREE : Scalar.INT_OR_STRING;
    }
    return switch (schema.type()) {
      case "object" -> object(schema, keeps);
      case "array" -> list(schema, keeps);
      case "string" ->
          schema.format().isEmpty() || schema.format().equals("byte") ? Scalar.STRING : Scalar.TIME;
      case "integer" -> Scalar.INT64;
      case "number" -> Scalar.DOUBLE;
      case "boolean" -> Scalar.BOOLEAN;
      default -> keeps ? StructShape.FREE : Scalar.ANY;
    };
  }

  private static Shape object(StructuralSchema schema, boolean keeps) {
    boolean atomic = schema.isAtomicMap();
    var values = schema.additional();
    if (values != null) {
      return new MapShape(shape(values, keeps), atomic);
    }
    boolean declares = !schema.properties().isEmpty() || schema.isEmbedded();
    if (!declares || schema.allowsAdditional()) {
      return new MapShape(StructShape.FREE, atomic);
    }
    return keeps
        ? StructShape.open(
            "", atomic, StructShape.FREE, () -> fields(schema, schema.isEmbedded(), true))
        : StructShape.later("", atomic, () -> fields(schema, schema.isEmbedded(), false));
  }

  private static Shape list(StructuralSchema schema, boolean keeps) {
    var items = schema.items();
    var kind =
        switch (schema.listType()) {
          case ATOMIC -> ListShape.Kind.ATOMIC;
          case SET -> ListShape.Kind.SET;
          case MAP -> ListShape.Kind.MAP;
        };
    return new ListShape(items == null ? Scalar.ANY : shape(items, keeps), kind, schema.listKeys());
  }
}
