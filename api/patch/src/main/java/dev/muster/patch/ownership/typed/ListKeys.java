package dev.muster.patch.ownership.typed;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.Elements;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Identifies the items of sets and keyed lists. */
final class ListKeys {
  private ListKeys() {}

  /** The path element of an item; null when it has none. */
  static @Nullable String element(ListShape list, Json item) {
    return switch (list.kind()) {
      case MAP -> item instanceof JsonObject object ? keyed(list, object) : null;
      case SET -> inSet(item) ? Elements.value(item) : null;
      case ATOMIC -> null;
    };
  }

  private static boolean inSet(Json item) {
    return !(item instanceof JsonObject || item instanceof JsonArray || item == JsonNull.NULL);
  }

  private static @Nullable String keyed(ListShape list, JsonObject item) {
    var keys = list.keys();
    if (keys.size() == 1) {
      var value = keyValue(list, item, keys.getFirst());
      return value == null ? null : Elements.key(keys.getFirst(), value);
    }
    var names = new ArrayList<String>(keys.size());
    var values = new ArrayList<Json>(keys.size());
    for (var name : keys) {
      var value = keyValue(list, item, name);
      if (value != null) {
        int at = 0;
        while (at < names.size() && names.get(at).compareTo(name) < 0) {
          at++;
        }
        names.add(at, name);
        values.add(at, value);
      }
    }
    return names.isEmpty() ? null : Elements.key(names, values);
  }

  /** The item's value of that key, or the default of the field; null when there is neither. */
  private static @Nullable Json keyValue(ListShape list, JsonObject item, String name) {
    var value = item.get(name);
    if (value != null || !(list.items() instanceof StructShape struct)) {
      return value;
    }
    var field = struct.field(name);
    if (field == null || field.defaultValue() != null) {
      return field == null ? null : field.defaultValue();
    }
    return field.whenEmpty() == Field.WhenEmpty.ZERO ? zero(field.shape()) : null;
  }

  private static @Nullable Json zero(Shape shape) {
    return switch (shape) {
      case Scalar.STRING -> Json.of("");
      case Scalar.INT32, Scalar.INT64 -> Json.of(0);
      case Scalar.BOOLEAN -> Json.of(false);
      default -> null;
    };
  }

  /** Why an item has no path element, with upstream's message. */
  static String complaint(ListShape list, Json item) {
    if (list.kind() == ListShape.Kind.MAP) {
      if (item == JsonNull.NULL) {
        return "associative list with keys may not have a null element";
      }
      if (!(item instanceof JsonObject)) {
        return "associative list with keys may not have non-map elements";
      }
      var keys = list.keys().stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
      return "associative list with keys has an element that omits all key fields "
          + keys
          + " (and doesn't have default values for any key fields)";
    }
    return switch (item) {
      case JsonObject ignored -> "associative list without keys has an element that's a map type";
      case JsonArray ignored -> "not supported: associative list with lists as elements";
      case Json ignored -> "associative list without keys has an element that's an explicit null";
    };
  }
}
