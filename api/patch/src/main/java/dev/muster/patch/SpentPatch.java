package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/**
 * The remains of a strategic merge patch after the merge, which kube-apiserver prints when the
 * result is invalid: the merge removes directives that it follows, and nulls from new values.
 */
final class SpentPatch {
  private SpentPatch() {}

  static JsonObject of(Shape shape, JsonObject original, JsonObject patch) {
    var directive = patch.get(Directives.PATCH);
    if (directive != null) {
      return "replace".equals(directive.text()) ? patch.without(Directives.PATCH) : patch;
    }
    var spent = new HashSet<String>();
    for (var key : patch.keys()) {
      if (key.equals(Directives.RETAIN_KEYS)) {
        spent.add(key);
      } else if (key.startsWith(Directives.SET_ELEMENT_ORDER)) {
        spent.add(key);
        spent.add(Directives.listKey(key, Directives.SET_ELEMENT_ORDER));
      }
    }
    var left = JsonObject.builder();
    for (int i = 0; i < patch.size(); i++) {
      var key = patch.key(i);
      if (!spent.contains(key)) {
        left.put(key, member(shape, original.get(key), key, patch.value(i)));
      }
    }
    return left.build();
  }

  private static Json member(Shape shape, @Nullable Json current, String key, Json value) {
    if (value == JsonNull.NULL || key.startsWith(Directives.DELETE_FROM_LIST)) {
      return value;
    }
    var field = shape instanceof StructShape struct ? struct.field(key) : null;
    return switch (value) {
      case JsonObject changes when current instanceof JsonObject object ->
          field != null && field.patch().replace()
              ? changes
              : of(shape(shape, field), object, changes);
      case JsonArray changes when current instanceof JsonArray list ->
          field != null && field.patch().merge() ? items(field, list, changes) : changes;
      case JsonArray added -> added.map(SpentPatch::added);
      case Json added -> added(added);
    };
  }

  private static Shape shape(Shape shape, @Nullable Field field) {
    if (field != null) {
      return field.shape();
    }
    return shape instanceof MapShape map ? map.values() : Scalar.ANY;
  }

  private static JsonArray items(Field field, JsonArray original, JsonArray changes) {
    var mergeKey = field.patch().mergeKey();
    var shape = field.shape() instanceof ListShape list ? list.items() : Scalar.ANY;
    return changes.map(
        change -> {
          if (!(change instanceof JsonObject item) || item.has(Directives.PATCH)) {
            return change;
          }
          var key = item.get(mergeKey);
          for (var candidate : original) {
            if (key != null
                && candidate instanceof JsonObject object
                && key.equals(object.get(mergeKey))) {
              return of(shape, object, item);
            }
          }
          return item;
        });
  }

  /** A new value; it stays unchanged when it is itself a directive. */
  private static Json added(Json value) {
    var stripped = Directives.strip(Directives.withoutNulls(value));
    return stripped == null ? Directives.withoutNulls(value) : stripped;
  }
}
