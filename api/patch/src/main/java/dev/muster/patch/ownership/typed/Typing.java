package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import org.jspecify.annotations.Nullable;

/** How server-side apply treats a value: as a whole or field by field. */
final class Typing {
  private Typing() {}

  /** Whether the value is atomic and has one owner. */
  static boolean isLeaf(Shape shape) {
    return switch (shape) {
      case Scalar ignored -> true;
      case ListShape list -> list.kind() == ListShape.Kind.ATOMIC;
      case MapShape map -> map.atomic();
      case StructShape struct -> struct.atomic();
    };
  }

  /** Whether the values are atomic; values without a shape are treated by their JSON type. */
  static boolean isLeaf(Shape shape, @Nullable Json before, @Nullable Json now) {
    return shape == StructShape.FREE
        ? !((now == null ? before : now) instanceof JsonObject)
        : isLeaf(shape);
  }

  /** The shape of a member of a struct or map; any value is allowed where there is none. */
  static Shape member(Shape shape, String name) {
    return switch (shape) {
      case StructShape struct -> {
        var field = struct.field(name);
        yield field == null ? undeclared(struct) : field.shape();
      }
      case MapShape map -> map.values();
      default -> Scalar.ANY;
    };
  }

  private static Shape undeclared(StructShape struct) {
    var others = struct.others();
    return others == null ? Scalar.ANY : others;
  }

  /** Whether the struct can have a field of that name. */
  static boolean takes(StructShape struct, String name) {
    return struct.others() != null || struct.field(name) != null;
  }

  static boolean declares(Shape shape, String name) {
    return shape instanceof StructShape struct && struct.field(name) != null;
  }

  /** The shape of the value at a path element. */
  static Shape below(Shape shape, String element) {
    return switch (element.charAt(0)) {
      case 'f' -> member(shape, element.substring(2));
      case 'k' -> shape instanceof ListShape list ? list.items() : Scalar.ANY;
      default -> Scalar.ANY;
    };
  }

  static @Nullable JsonObject object(@Nullable Json value) {
    return value instanceof JsonObject object ? object : null;
  }

  static @Nullable JsonArray array(@Nullable Json value) {
    return value instanceof JsonArray array ? array : null;
  }

  static boolean isEmpty(@Nullable Json value) {
    return switch (value) {
      case null -> true;
      case JsonNull ignored -> true;
      case JsonObject object -> object.isEmpty();
      case JsonArray array -> array.isEmpty();
      case Json ignored -> false;
    };
  }

  /** Whether two values are equal; numbers are compared by value. */
  static boolean same(Json left, Json right) {
    return left.equals(right)
        || (left instanceof JsonNumber l
            && right instanceof JsonNumber r
            && l.doubleValue() == r.doubleValue());
  }
}
