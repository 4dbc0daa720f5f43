package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.edit.GoValue;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: merges objects, merges lists as their fields declare, and follows
 * directives, which are keys that start with a dollar sign. An invalid directive answers BadRequest
 * with kube-apiserver's message (kube-apiserver uses code 500). Unchanged parts of the document
 * stay the same instances.
 */
public final class StrategicMerge {
  private StrategicMerge() {}

  /**
   * The patch in a body.
   *
   * @throws ApiException BadRequest with kube-apiserver's message when it is no object
   */
  public static JsonObject parse(Json patch) {
    if (patch instanceof JsonObject object) {
      return object;
    }
    if (patch == JsonNull.NULL) {
      return JsonObject.EMPTY;
    }
    throw ApiException.badRequest(GoValue.notAnObject(patch));
  }

  /** The patched document. */
  public static JsonObject apply(StructShape shape, JsonObject document, JsonObject patch) {
    return merge(shape, document, patch);
  }

  /** The patch as kube-apiserver prints it in errors about the result. */
  public static String describe(StructShape shape, JsonObject document, Json patch) {
    return GoValue.print(
        patch instanceof JsonObject changes ? SpentPatch.of(shape, document, changes) : patch);
  }

  static JsonObject merge(Shape shape, JsonObject original, JsonObject patch) {
    var directive = patch.get(Directives.PATCH);
    if (directive != null) {
      return Directives.whole(directive, patch);
    }
    var result = new ObjectDraft(original);
    retainKeys(result, patch);
    var ordered = new HashSet<String>();
    for (int i = 0; i < patch.size(); i++) {
      if (patch.key(i).startsWith(Directives.SET_ELEMENT_ORDER)) {
        var key = Directives.listKey(patch.key(i), Directives.SET_ELEMENT_ORDER);
        setElementOrder(shape, result, patch, key, patch.value(i));
        ordered.add(key);
      }
    }
    for (int i = 0; i < patch.size(); i++) {
      var key = patch.key(i);
      boolean directs =
          key.equals(Directives.RETAIN_KEYS) || key.startsWith(Directives.SET_ELEMENT_ORDER);
      if (!directs && !ordered.contains(key)) {
        member(shape, result, key, patch.value(i));
      }
    }
    return result.build();
  }

  /** Removes the fields that {@code $retainKeys} does not list. */
  private static void retainKeys(ObjectDraft result, JsonObject patch) {
    var directive = patch.get(Directives.RETAIN_KEYS);
    if (directive == null) {
      return;
    }
    if (!(directive instanceof JsonArray list)) {
      throw ApiException.badRequest("invalid patch format of retainKeys");
    }
    var retained = new HashSet<>(list.strings());
    for (int i = 0; i < patch.size(); i++) {
      var key = patch.key(i);
      if (!Directives.isDirective(key)
          && patch.value(i) != JsonNull.NULL
          && !retained.contains(key)) {
        throw ApiException.badRequest("invalid patch format of retainKeys");
      }
    }
    result.retain(retained);
  }

  private static void setElementOrder(
      Shape shape, ObjectDraft result, JsonObject patch, String key, Json directive) {
    var order = Directives.list(directive);
    var original = result.get(key);
    var change = patch.get(key);
    var originalList = original == null ? JsonArray.EMPTY : Directives.list(original);
    var changeList = change == null ? JsonArray.EMPTY : Directives.list(change);
    var field = listField(shape, key);
    var mergeKey = field.patch().mergeKey();
    Directives.checkOrder(changeList, order, mergeKey);
    if (original == null && change == null) {
      return;
    }
    JsonArray merged;
    if (change == null) {
      merged = originalList;
    } else if (original == null) {
      merged = Directives.stripItems(changeList);
    } else {
      merged = mergeList(field, originalList, changeList, false);
    }
    result.put(key, StrategicList.order(merged, order, originalList, mergeKey));
  }

  private static void member(Shape shape, ObjectDraft result, String name, Json value) {
    boolean deletes = name.startsWith(Directives.DELETE_FROM_LIST);
    var key = deletes ? Directives.listKey(name, Directives.DELETE_FROM_LIST) : name;
    if (value == JsonNull.NULL) {
      result.remove(key);
      return;
    }
    var current = result.get(key);
    if (current instanceof JsonObject object && value instanceof JsonObject changes) {
      var field = field(shape, key);
      boolean replaces = field != null && field.patch().replace();
      result.put(key, replaces ? changes : merge(valueShape(shape, field), object, changes));
    } else if (current instanceof JsonArray list && value instanceof JsonArray changes) {
      var field = field(shape, key);
      result.put(
          key,
          field == null && !deletes
              ? changes
              : mergeList(listField(shape, key), list, changes, deletes));
    } else if (!deletes) {
      var added = Directives.strip(Directives.withoutNulls(value));
      if (added == null) {
        result.remove(key);
      } else {
        result.put(key, current != null && current.equals(added) ? current : added);
      }
    }
  }

  private static JsonArray mergeList(
      Field field, JsonArray original, JsonArray changes, boolean deletes) {
    if (!field.patch().merge() && !deletes) {
      return changes;
    }
    var items = field.shape() instanceof ListShape list ? list.items() : Scalar.ANY;
    return StrategicList.merge(items, original, changes, field.patch().mergeKey(), deletes);
  }

  private static @Nullable Field field(Shape shape, String key) {
    return shape instanceof StructShape struct ? struct.field(key) : null;
  }

  private static Shape valueShape(Shape shape, @Nullable Field field) {
    if (field != null) {
      return field.shape();
    }
    return shape instanceof MapShape map ? map.values() : Scalar.ANY;
  }

  /** The list field that a directive names. */
  private static Field listField(Shape shape, String key) {
    if (!(shape instanceof StructShape struct)) {
      throw ApiException.badRequest(
          "merging an object in json but data type is not struct, instead is: map");
    }
    var field = struct.field(key);
    if (field == null) {
      var type = struct.name().substring(struct.name().lastIndexOf('.') + 1);
      throw ApiException.badRequest(
          "unable to find api field in struct " + type + " for the json field \"" + key + "\"");
    }
    if (!(field.shape() instanceof ListShape)) {
      throw ApiException.badRequest("expected slice or array type, but got: struct");
    }
    return field;
  }
}
