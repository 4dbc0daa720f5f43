package dev.muster.schema.read;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.Duplicates;
import java.util.List;

/**
 * Merges the values of a key that is repeated in an object, like Go: it decodes the second value
 * into the result of the first. Structs and maps are merged, other values are replaced.
 */
final class RepeatedKeys {
  private RepeatedKeys() {}

  /** The value of a field after all its repetitions. */
  static Json merge(Field field, List<Duplicates.Duplicate> repeats, Json last) {
    Json merged = null;
    for (var repeat : repeats) {
      if (repeat.key().equals(field.name())) {
        merged = merged == null ? repeat.earlier() : merge(field.shape(), merged, repeat.earlier());
      }
    }
    return merged == null ? last : merge(field.shape(), merged, last);
  }

  /** The first value of a repeated field. */
  static Json first(Field field, List<Duplicates.Duplicate> repeats) {
    for (var repeat : repeats) {
      if (repeat.key().equals(field.name())) {
        return repeat.earlier();
      }
    }
    return JsonNull.NULL;
  }

  /** The value at a repetition: the one that the next repetition replaces, or the last value. */
  static Json after(int repetition, List<Duplicates.Duplicate> repeats, JsonObject in) {
    var key = repeats.get(repetition).key();
    for (var repeat : repeats.subList(repetition + 1, repeats.size())) {
      if (repeat.key().equals(key)) {
        return repeat.earlier();
      }
    }
    var last = in.get(key);
    return last == null ? JsonNull.NULL : last;
  }

  private static Json merge(Shape shape, Json earlier, Json later) {
    return switch (shape) {
      case StructShape struct when earlier instanceof JsonObject first -> {
        if (later instanceof JsonNull) {
          yield earlier;
        }
        if (!(later instanceof JsonObject second)) {
          yield later;
        }
        var merged = first.toBuilder();
        for (int i = 0; i < second.size(); i++) {
          var key = second.key(i);
          var field = struct.field(key);
          var before = first.get(key);
          merged.put(
              key,
              field == null || before == null
                  ? second.value(i)
                  : merge(field.shape(), before, second.value(i)));
        }
        yield merged.build();
      }
      case MapShape ignored
          when earlier instanceof JsonObject first && later instanceof JsonObject second -> {
        var merged = first.toBuilder();
        for (int i = 0; i < second.size(); i++) {
          merged.put(second.key(i), second.value(i));
        }
        yield merged.build();
      }
      case StructShape ignored -> later;
      case MapShape ignored -> later;
      case ListShape ignored -> later;
      case Scalar ignored -> later;
    };
  }
}
