package dev.muster.patch.edit;

import dev.muster.model.json.Json;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small structs for tests. */
public final class Shapes {
  public static final MapShape STRINGS = new MapShape(Scalar.STRING, false);

  /** What every object has, as far as these tests need it. */
  public static final StructShape METADATA =
      struct(
          "ObjectMeta",
          field("name", Scalar.STRING),
          field("generateName", Scalar.STRING),
          field("namespace", Scalar.STRING),
          field("uid", Scalar.STRING),
          field("resourceVersion", Scalar.STRING),
          field("generation", Scalar.INT64),
          field("creationTimestamp", Scalar.TIME),
          field("deletionTimestamp", Scalar.TIME),
          field("labels", STRINGS),
          field("annotations", STRINGS),
          field(
              "ownerReferences",
              keyed(
                  struct(
                      "OwnerReference",
                      true,
                      field("uid", Scalar.STRING),
                      field("name", Scalar.STRING)),
                  "uid"),
              merge("uid")),
          field("finalizers", set(Scalar.STRING), merge("")),
          field("managedFields", atomic(Scalar.ANY)));

  private Shapes() {}

  public static StructShape struct(String name, Field... fields) {
    return struct(name, false, fields);
  }

  public static StructShape struct(String name, boolean atomic, Field... fields) {
    var struct = new StructShape("test." + name, atomic);
    struct.define(List.of(fields));
    return struct;
  }

  /** An object with metadata and the given fields. */
  public static StructShape kind(String name, Field... fields) {
    var all = new ArrayList<Field>();
    all.add(field("apiVersion", Scalar.STRING));
    all.add(field("kind", Scalar.STRING));
    all.add(present("metadata", METADATA));
    all.addAll(List.of(fields));
    return struct(name, all.toArray(new Field[0]));
  }

  public static Field field(String name, Shape shape) {
    return field(name, shape, Field.WhenEmpty.OMIT, null, Field.Patch.NONE);
  }

  public static Field field(String name, Shape shape, Field.Patch patch) {
    return field(name, shape, Field.WhenEmpty.OMIT, null, patch);
  }

  /** A field that upstream writes even when it has no value. */
  public static Field present(String name, Shape shape) {
    return field(name, shape, Field.WhenEmpty.ZERO, null, Field.Patch.NONE);
  }

  public static Field defaulted(String name, Shape shape, String value) {
    return field(name, shape, Field.WhenEmpty.OMIT, Json.of(value), Field.Patch.NONE);
  }

  private static Field field(
      String name,
      Shape shape,
      Field.WhenEmpty whenEmpty,
      @Nullable Json defaultValue,
      Field.Patch patch) {
    return new Field(name, 0, shape, false, whenEmpty, defaultValue, patch, Field.Go.PLAIN);
  }

  public static Field.Patch merge(String mergeKey) {
    return new Field.Patch(true, false, false, mergeKey);
  }

  public static ListShape atomic(Shape items) {
    return new ListShape(items, ListShape.Kind.ATOMIC, List.of());
  }

  public static ListShape set(Shape items) {
    return new ListShape(items, ListShape.Kind.SET, List.of());
  }

  public static ListShape keyed(Shape items, String... keys) {
    return new ListShape(items, ListShape.Kind.MAP, List.of(keys));
  }
}
