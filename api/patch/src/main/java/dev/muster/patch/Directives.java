package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.patch.edit.GoValue;
import dev.muster.patch.edit.ObjectEdit;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The directives of a strategic merge patch: keys such as {@code $patch} that control the merge and
 * are no fields.
 */
final class Directives {
  static final String PATCH = "$patch";
  static final String RETAIN_KEYS = "$retainKeys";
  static final String SET_ELEMENT_ORDER = "$setElementOrder";
  static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";

  private Directives() {}

  static boolean isDirective(String key) {
    return key.equals(RETAIN_KEYS)
        || key.startsWith(SET_ELEMENT_ORDER)
        || key.startsWith(DELETE_FROM_LIST);
  }

  /** The result for an object whose patch has a {@code $patch} directive. */
  static JsonObject whole(Json directive, JsonObject patch) {
    return switch (directive.text()) {
      case "replace" -> patch.without(PATCH);
      case "delete" -> JsonObject.EMPTY;
      case null, default -> throw unknown(directive, patch);
    };
  }

  static ApiException unknown(Json directive, JsonObject patch) {
    var text =
        directive instanceof JsonString string
            ? string.value()
            : directive == JsonNull.NULL
                ? "%!s(<nil>)"
                : "%!s(" + GoValue.type(directive) + "=" + GoValue.print(directive) + ")";
    return ApiException.badRequest(
        "unknown patch type: " + text + " in map: " + GoValue.print(patch));
  }

  static ApiException withoutMergeKey(JsonObject item, String mergeKey) {
    return ApiException.badRequest(
        "map: " + GoValue.print(item) + " does not contain declared merge key: " + mergeKey);
  }

  /** The field in {@code $directive/field}. */
  static String listKey(String key, String prefix) {
    if (key.startsWith("/", prefix.length())) {
      return key.substring(prefix.length() + 1);
    }
    throw ApiException.badRequest(
        prefix.equals(DELETE_FROM_LIST)
            ? "invalid patch format of primitive list"
            : "invalid patch format of setElementOrder list");
  }

  static JsonArray list(Json value) {
    if (value instanceof JsonArray array) {
      return array;
    }
    throw wrongType("[]interface {}", value);
  }

  static JsonObject object(Json value) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrongType("map[string]interface {}", value);
  }

  private static ApiException wrongType(String wanted, Json value) {
    return ApiException.badRequest(
        "expected a " + wanted + ", but received a " + GoValue.type(value));
  }

  /** Checks that the order contains every item of the patch, in the order of the patch. */
  static void checkOrder(JsonArray patch, JsonArray order, String mergeKey) {
    if (patch.isEmpty() || order.isEmpty()) {
      return;
    }
    int next = 0;
    for (var item : patch) {
      var object = mergeKey.isEmpty() ? item : object(item);
      boolean directed = object instanceof JsonObject special && special.has(PATCH);
      if (directed) {
        continue;
      }
      boolean found = false;
      while (!found && next < order.size()) {
        found = sameItem(item, order.get(next++), mergeKey);
      }
      if (!found) {
        throw ApiException.badRequest(
            "The order in patch list:\n"
                + GoValue.print(patch)
                + "\n doesn't match $setElementOrder list:\n"
                + GoValue.print(order)
                + "\n");
      }
    }
  }

  private static boolean sameItem(Json item, Json ordered, String mergeKey) {
    return mergeKey.isEmpty()
        ? item.equals(ordered)
        : mergeValue(object(item), mergeKey).equals(mergeValue(object(ordered), mergeKey));
  }

  /** The item's value of the merge key. */
  static Json mergeValue(JsonObject item, String mergeKey) {
    var value = item.get(mergeKey);
    if (value == null) {
      throw withoutMergeKey(item, mergeKey);
    }
    return value;
  }

  /** A new value without objects that are only directives; null when the value itself is one. */
  static @Nullable Json strip(Json value) {
    return switch (value) {
      case JsonObject object -> {
        if (object.has(PATCH)) {
          yield null;
        }
        var edit = new ObjectEdit(object);
        for (int i = 0; i < object.size(); i++) {
          edit.put(i, strip(object.value(i)));
        }
        yield edit.build();
      }
      case JsonArray array -> stripItems(array);
      case Json other -> other;
    };
  }

  static JsonArray stripItems(JsonArray array) {
    var kept = new ArrayList<Json>(array.size());
    boolean changed = false;
    for (var item : array) {
      var stripped = strip(item);
      changed |= stripped != item;
      if (stripped != null) {
        kept.add(stripped);
      }
    }
    return changed ? JsonArray.of(kept) : array;
  }

  /** A new value without null members; nulls in lists stay. */
  static Json withoutNulls(Json value) {
    return switch (value) {
      case JsonObject object -> {
        var edit = new ObjectEdit(object);
        for (int i = 0; i < object.size(); i++) {
          var member = object.value(i);
          edit.put(i, member == JsonNull.NULL ? null : withoutNulls(member));
        }
        yield edit.build();
      }
      case JsonArray array -> array.map(Directives::withoutNulls);
      case Json other -> other;
    };
  }
}
