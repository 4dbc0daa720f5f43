package dev.muster.schema.read;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.DecodeException;
import org.jspecify.annotations.Nullable;

/**
 * Finds type errors in a tree, with the messages of upstream's conversion from trees in memory.
 * Upstream uses this conversion, for example, after a strategic merge patch. One thread uses it
 * once.
 */
public final class TreeFaults {
  private final GoPath path;
  private final ScalarReader scalars;

  private TreeFaults(StructShape root) {
    this.path = new GoPath(root);
    this.scalars = new ScalarReader(new GoPath(root));
  }

  /** The first error in the order of the struct's fields, or null. */
  public static @Nullable String first(StructShape shape, Json value) {
    return new TreeFaults(shape).fault(shape, value);
  }

  private @Nullable String fault(Shape shape, Json value) {
    if (value == JsonNull.NULL) {
      return null;
    }
    return switch (shape) {
      case StructShape struct -> struct(struct, value);
      case MapShape map -> map(map, value);
      case ListShape list -> list(list, value);
      case Scalar scalar -> scalar(scalar, value);
    };
  }

  private @Nullable String struct(StructShape struct, Json value) {
    if (!(value instanceof JsonObject object)) {
      return "cannot restore struct from: " + kind(value);
    }
    for (int i = 0; i < struct.size(); i++) {
      var field = struct.field(i);
      var member = object.get(field.name());
      if (member != null) {
        path.enter(struct, field);
        var fault = fault(field.shape(), member);
        path.leave();
        if (fault != null) {
          return fault;
        }
      }
    }
    return null;
  }

  private @Nullable String map(MapShape map, Json value) {
    if (!(value instanceof JsonObject object)) {
      return "cannot restore map from " + kind(value);
    }
    for (int i = 0; i < object.size(); i++) {
      path.enter(object.key(i));
      var fault = fault(map.values(), object.value(i));
      path.leave();
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private @Nullable String list(ListShape list, Json value) {
    if (!(value instanceof JsonArray array)) {
      return "cannot restore slice from " + kind(value);
    }
    for (int i = 0; i < array.size(); i++) {
      path.enter(i);
      var fault = fault(list.items(), array.get(i));
      path.leave();
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private @Nullable String scalar(Scalar scalar, Json value) {
    return switch (scalar) {
      case STRING ->
          value instanceof JsonString
              ? null
              : value instanceof JsonInteger ? cannotConvert(value) : "unrecognized type: string";
      case BOOLEAN -> value instanceof JsonBool ? null : "unrecognized type: bool";
      case INT32 -> integer(value, "int32");
      case INT64 -> integer(value, "int64");
      case DOUBLE -> value instanceof JsonNumber ? null : "unrecognized type: float64";
      case BYTES -> bytes(value);
      case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> text(scalar, value);
      case ANY, FIELDS_V1, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> null;
    };
  }

  private @Nullable String integer(Json value, String type) {
    if (!(value instanceof JsonNumber number)) {
      return "unrecognized type: " + type;
    }
    boolean whole = number.doubleValue() == Math.rint(number.doubleValue());
    return whole ? null : cannotConvert(value);
  }

  private @Nullable String bytes(Json value) {
    if (!(value instanceof JsonString)) {
      return value instanceof JsonArray ? null : "cannot restore slice from " + kind(value);
    }
    var fault = text(Scalar.BYTES, value);
    return fault == null ? null : "error decoding from json: " + fault;
  }

  /** Go types that parse their own text do not mention the surrounding struct in messages. */
  private @Nullable String text(Scalar scalar, Json value) {
    try {
      scalars.read(scalar, value);
      return null;
    } catch (DecodeException e) {
      return e.text();
    } catch (ScalarReader.Fatal e) {
      return e.decodeException().text();
    }
  }

  private String cannotConvert(Json value) {
    return "cannot convert " + kind(value) + " to " + path.typeHere();
  }

  private static String kind(Json value) {
    return switch (value) {
      case JsonObject ignored -> "map";
      case JsonArray ignored -> "slice";
      case JsonString ignored -> "string";
      case JsonInteger ignored -> "int64";
      case JsonNumber ignored -> "float64";
      case JsonBool ignored -> "bool";
      case JsonNull ignored -> "invalid";
    };
  }
}
