package dev.muster.testing.objects;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import java.util.Random;

/**
 * Creates random objects of any struct, with values in all fields, in required fields only, or in
 * some. The same seed creates the same objects.
 */
public final class RandomObjects {
  private static final int DEEPEST = 3;

  private final Random random;
  private final double density;
  private int schemas;

  /**
   * @param density the fraction of fields with a value
   */
  public RandomObjects(long seed, double density) {
    this.random = new Random(seed);
    this.density = density;
  }

  /** An object in canonical form. */
  public JsonObject of(GroupVersionKind kind, StructShape shape) {
    var metadata =
        struct(Schemas.objectMeta())
            .without("resourceVersion")
            .with("name", "x")
            .with("creationTimestamp", "2024-02-29T12:34:56Z");
    return TypedReader.normal(
        shape,
        struct(shape)
            .with("metadata", metadata)
            .with("kind", kind.kind())
            .with("apiVersion", kind.apiVersion()));
  }

  private JsonObject struct(StructShape shape) {
    boolean schema = isSchema(shape);
    schemas += schema ? 1 : 0;
    var object = JsonObject.builder();
    for (var field : shape.fields()) {
      if (isChosen(field) && (schemas < DEEPEST || !isSchema(field.shape()))) {
        object.put(field.name(), value(field));
      }
    }
    schemas -= schema ? 1 : 0;
    return object.build();
  }

  /**
   * Skips {@code kind} and {@code apiVersion} below the top level, because protobuf does not store
   * them there.
   */
  private boolean isChosen(Field field) {
    return (field.number() != 0
            || !field.go().within().stream().anyMatch(RandomObjects::isTypeMeta))
        && random.nextDouble() < density;
  }

  private static boolean isTypeMeta(Field.Go.Embedded embedded) {
    return embedded.name().equals("TypeMeta");
  }

  private static boolean isSchema(Shape shape) {
    return switch (shape) {
      case StructShape struct -> struct.simpleName().equals("JSONSchemaProps");
      case ListShape list -> isSchema(list.items());
      case MapShape map -> isSchema(map.values());
      case Scalar scalar -> scalar.name().startsWith("SCHEMA");
    };
  }

  private Json value(Field field) {
    // A taint without this field would get the time at which it is read.
    return field.name().equals("taints") && density < 1 ? JsonArray.EMPTY : value(field.shape());
  }

  private Json value(Shape shape) {
    return switch (shape) {
      case StructShape struct -> struct(struct);
      case ListShape list ->
          isSchema(list)
              ? JsonArray.of(value(list.items()))
              : JsonArray.of(value(list.items()), value(list.items()));
      case MapShape map ->
          JsonObject.builder()
              .put("a" + random.nextInt(10), value(map.values()))
              .put("b", value(map.values()))
              .build();
      case Scalar scalar -> scalar(scalar);
    };
  }

  private Json scalar(Scalar scalar) {
    return switch (scalar) {
      case STRING -> Json.of("text <&> é " + random.nextInt(1000));
      case BOOLEAN -> Json.of(random.nextBoolean());
      case INT32 -> Json.of(random.nextInt(5));
      case INT64 -> Json.of(random.nextLong());
      case DOUBLE -> new JsonDecimal("0.5");
      case BYTES -> Json.of("AAEC/w==");
      case TIME -> Json.of("2024-02-29T12:34:56Z");
      case MICRO_TIME -> Json.of("2024-02-29T12:34:56.000789Z");
      case DURATION -> Json.of("1m30s");
      case QUANTITY -> Json.of(random.nextBoolean() ? "1500m" : "2Gi");
      case INT_OR_STRING -> random.nextBoolean() ? Json.of(80) : Json.of("http");
      case ANY, FIELDS_V1 -> JsonObject.of("f:a", JsonObject.of("b", JsonArray.of(Json.of(1))));
      case SCHEMA_OR_ARRAY -> JsonArray.of(JsonObject.of("type", "string"));
      case SCHEMA_OR_BOOL -> Json.of(random.nextBoolean());
      case SCHEMA_OR_STRINGS -> JsonArray.of(Json.of("a"), Json.of("b"));
    };
  }
}
