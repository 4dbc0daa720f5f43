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

/** What server-side apply takes for one value, and what it looks into. */
final class Typing {
  private Typing() {}

  /** Whether the value has one owner as a whole. */
  static boolean isLeaf(Shape shape) {
    return switch (shape) {
      case Scalar ignored -> true;
      case ListShape list -> list.kind() == ListShape.Kind.ATOMIC;
      case MapShape map -> map.atomic();
      case StructShape struct -> struct.atomic();
    };
  }

  /** Whether values have one owner as a whole; what has no shape of its own has their form. */
  static boolean isLeaf(Shape shape, @Nullable Json before, @Nullable Json now) {
    return shape == StructShape.FREE
        ? !((now == null ? before : now) instanceof JsonObject)
        : isLeaf(shape);
  }

  /** The shape of a member of a struct or map; anything goes where there is none. */
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

  /** Whether there may be a field of that name. */
  static boolean takes(StructShape struct, String name) {
    return struct.others() != null || struct.field(name) != null;
  }

  static boolean declares(Shape shape, String name) {
    return shape instanceof StructShape struct && struct.field(name) != null;
  }

  /** The shape of what a path element leads to. */
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

  /** Whether two values are equal; numbers by their value, however they are written. */
  static boolean same(Json left, Json right) {
    return left.equals(right)
        || (left instanceof JsonNumber l
            && right instanceof JsonNumber r
            && l.doubleValue() == r.doubleValue());
  }
}
