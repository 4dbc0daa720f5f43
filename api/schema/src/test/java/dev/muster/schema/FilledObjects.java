package dev.muster.schema;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.read.TypedReader;
import java.util.Random;

/** Makes objects in which every field has a value. */
public final class FilledObjects {
  private static final int DEEPEST_SCHEMA = 3;

  private final Random random;
  private int schemas;

  public FilledObjects(long seed) {
    random = new Random(seed);
  }

  public JsonObject of(GroupVersionKind kind, StructShape shape) {
    return struct(shape).with("kind", kind.kind()).with("apiVersion", kind.apiVersion());
  }

  JsonObject struct(StructShape shape) {
    boolean schema = shape.simpleName().equals("JSONSchemaProps");
    schemas += schema ? 1 : 0;
    var object = JsonObject.builder();
    for (var field : shape.fields()) {
      // Only the object itself says its kind; protobuf has it nowhere else.
      boolean typeMeta = field.number() == 0;
      if (!typeMeta && (!schema || schemas < DEEPEST_SCHEMA || !isSchema(field.shape()))) {
        object.put(field.name(), value(field.shape()));
      }
    }
    schemas -= schema ? 1 : 0;
    return object.build();
  }

  private static boolean isSchema(Shape shape) {
    return switch (shape) {
      case StructShape struct -> struct.simpleName().equals("JSONSchemaProps");
      case ListShape list -> isSchema(list.items());
      case MapShape map -> isSchema(map.values());
      case Scalar scalar -> scalar.name().startsWith("SCHEMA");
    };
  }

  private Json value(Shape shape) {
    return switch (shape) {
      case StructShape struct -> struct(struct);
      case ListShape list -> JsonArray.of(value(list.items()), value(list.items()));
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
      case BOOLEAN -> Json.of(true);
      case INT32 -> Json.of(random.nextInt());
      case INT64 -> Json.of(random.nextLong());
      case DOUBLE -> new JsonDecimal("0.5");
      case BYTES -> Json.of("AAEC/w==");
      case TIME -> Json.of("2024-02-29T12:34:56Z");
      case MICRO_TIME -> Json.of("2024-02-29T12:34:56.000789Z");
      case DURATION -> Json.of("1m30s");
      case QUANTITY -> Json.of(random.nextBoolean() ? "1500m" : "2Gi");
      case INT_OR_STRING -> random.nextBoolean() ? Json.of(80) : Json.of("http");
      case ANY, FIELDS_V1 -> JsonObject.of("f:a", JsonObject.of("b", JsonArray.of(Json.of(1))));
      case SCHEMA_OR_ARRAY ->
          random.nextBoolean()
              ? struct(TypedReader.schema())
              : JsonArray.of(struct(TypedReader.schema()));
      case SCHEMA_OR_BOOL -> random.nextBoolean() ? Json.of(true) : struct(TypedReader.schema());
      case SCHEMA_OR_STRINGS ->
          random.nextBoolean()
              ? JsonArray.of(Json.of("a"), Json.of("b"))
              : struct(TypedReader.schema());
    };
  }
}
