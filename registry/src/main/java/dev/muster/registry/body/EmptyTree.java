package dev.muster.registry.body;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.EmptyPlace;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;

/** Parts of objects in which no empty list or map is the same as none. */
final class EmptyTree {
  private EmptyTree() {}

  /** What was read, with everything in it that was sent empty. */
  static Json kept(Shape shape, Json sent, Json read) {
    return switch (shape) {
      case StructShape struct
          when sent instanceof JsonObject from && read instanceof JsonObject to ->
          members(struct, from, to);
      case ListShape list
          when sent instanceof JsonArray from
              && read instanceof JsonArray to
              && from.size() == to.size() ->
          to.mapBeside(from, (one, other) -> kept(list.items(), one, other));
      default -> read;
    };
  }

  private static JsonObject members(StructShape shape, JsonObject sent, JsonObject read) {
    var kept = read;
    for (int i = 0; i < sent.size(); i++) {
      var field = shape.field(sent.key(i));
      if (field == null) {
        continue;
      }
      var member = read.get(sent.key(i));
      if (member != null) {
        var now = kept(field.shape(), sent.value(i), member);
        kept = now == member ? kept : kept.with(sent.key(i), now);
      } else if (canBeEmpty(field.shape()) && EmptyPlace.isEmpty(sent.value(i))) {
        kept = kept.with(sent.key(i), sent.value(i));
      }
    }
    return kept;
  }

  private static boolean canBeEmpty(Shape shape) {
    return shape instanceof ListShape || shape instanceof MapShape;
  }
}
