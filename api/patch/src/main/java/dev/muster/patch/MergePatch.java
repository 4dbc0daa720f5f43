package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.edit.GoValue;
import dev.muster.patch.edit.ObjectEdit;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patch (RFC 7386) as in kube-apiserver: objects in new lists lose their null members.
 * Unchanged parts of the document stay the same instances.
 */
public final class MergePatch {
  private MergePatch() {}

  /**
   * The patch in a body.
   *
   * @throws ApiException BadRequest with kube-apiserver's message when it is no object
   */
  public static JsonObject parse(Json patch) {
    if (patch instanceof JsonObject object) {
      return object;
    }
    throw patch == JsonNull.NULL
        ? unreadable()
        : ApiException.badRequest("error decoding patch: " + GoValue.notAnObject(patch));
  }

  /** The error response for a body that is no patch. */
  public static ApiException unreadable() {
    return ApiException.badRequest("Invalid JSON Patch");
  }

  /** The document after a patch that is a list, if fields are not validated. */
  public static Json replacement(JsonArray patch) {
    return sorted(Directives.withoutNulls(patch));
  }

  public static JsonObject apply(JsonObject document, JsonObject patch) {
    var edit = new ObjectEdit(document);
    for (int i = 0; i < patch.size(); i++) {
      var key = patch.key(i);
      var value = patch.value(i);
      if (value == JsonNull.NULL) {
        edit.remove(key);
      } else {
        edit.put(key, merge(document.get(key), value));
      }
    }
    return edit.build();
  }

  /**
   * The patched document in kube-apiserver's print order: objects that the patch touched have
   * sorted members, all others keep their order.
   */
  public static JsonObject applyInPrintedOrder(JsonObject document, JsonObject patch) {
    var members = new TreeMap<String, Json>();
    for (int i = 0; i < document.size(); i++) {
      members.put(document.key(i), document.value(i));
    }
    for (int i = 0; i < patch.size(); i++) {
      var key = patch.key(i);
      var value = patch.value(i);
      var current = members.get(key);
      if (value == JsonNull.NULL) {
        members.remove(key);
      } else if (!(current instanceof JsonObject object)) {
        members.put(key, sorted(Directives.withoutNulls(value)));
      } else if (value instanceof JsonObject changes) {
        members.put(key, applyInPrintedOrder(object, changes));
      } else {
        members.put(key, value);
      }
    }
    return JsonObject.ofUnique(
        members.keySet().toArray(new String[0]), members.values().toArray(new Json[0]));
  }

  private static Json sorted(Json value) {
    return Objects.requireNonNull(
        DraftValues.freeze(DraftValues.sorted(value), Integer.MAX_VALUE), "no depth is too deep");
  }

  private static Json merge(@Nullable Json current, Json patch) {
    if (!(current instanceof JsonObject object)) {
      return keep(current, Directives.withoutNulls(patch));
    }
    return patch instanceof JsonObject changes ? apply(object, changes) : patch;
  }

  /** The current instance if both values are equal. */
  private static Json keep(@Nullable Json current, Json value) {
    return current != null && current.equals(value) ? current : value;
  }
}
