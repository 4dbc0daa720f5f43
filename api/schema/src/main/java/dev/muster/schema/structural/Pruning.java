package dev.muster.schema.structural;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Removes the fields that a schema does not know and does not preserve. */
public final class Pruning {
  private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

  /** Receives the path of each removed field, such as {@code spec.items[0].name}. */
  private final Consumer<String> unknown;

  private Pruning(Consumer<String> unknown) {
    this.unknown = unknown;
  }

  /**
   * The value without unknown fields; the same instance when it has none.
   *
   * @param resource whether the value is a whole object, whose metadata is not pruned
   * @param unknown receives the path of each removed field
   */
  public static Json prune(
      Json value, StructuralSchema schema, boolean resource, Consumer<String> unknown) {
    return new Pruning(unknown).pruned(value, schema, resource || schema.isEmbedded(), "");
  }

  /** Whether a value has fields that its schema does not know and would not preserve. */
  public static boolean hasUnknown(Json value, StructuralSchema schema, boolean resource) {
    return prune(value, schema, resource, path -> {}) != value;
  }

  private Json pruned(
      Json value, @Nullable StructuralSchema schema, boolean resource, String path) {
    if (value instanceof JsonObject object) {
      return members(object, schema, resource, path);
    }
    if (value instanceof JsonArray list && schema != null && schema.keepsUnknown()) {
      return kept(list, schema, path);
    }
    if (value instanceof JsonArray list) {
      var items = schema == null ? null : schema.items();
      return items(list, items, path);
    }
    return value;
  }

  private JsonArray items(JsonArray list, @Nullable StructuralSchema items, String path) {
    var pruned = list;
    for (int i = 0; i < list.size(); i++) {
      var item = list.get(i);
      var changed = pruned(item, items, items != null && items.isEmbedded(), path + "[" + i + "]");
      pruned = changed == item ? pruned : pruned.with(i, changed);
    }
    return pruned;
  }

  /** A list that preserves unknown fields does so in items without a schema, too. */
  private JsonArray kept(JsonArray list, StructuralSchema schema, String path) {
    var items = schema.items();
    if (items == null) {
      return list;
    }
    var pruned = list;
    for (int i = 0; i < list.size(); i++) {
      var item = list.get(i);
      var at = path + "[" + i + "]";
      var changed =
          item instanceof JsonObject object
              ? members(object, items, items.isEmbedded(), at, true)
              : item instanceof JsonArray inner ? kept(inner, items, at) : item;
      pruned = changed == item ? pruned : pruned.with(i, changed);
    }
    return pruned;
  }

  private JsonObject members(
      JsonObject object, @Nullable StructuralSchema schema, boolean resource, String path) {
    return members(object, schema, resource, path, schema != null && schema.keepsUnknown());
  }

  private JsonObject members(
      JsonObject object,
      @Nullable StructuralSchema schema,
      boolean resource,
      String path,
      boolean keeps) {
    JsonObject.Builder changed = null;
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      var value = object.value(i);
      var at = path.isEmpty() ? name : path + "." + name;
      var left = resource && META.contains(name) ? value : member(schema, name, value, at, keeps);
      if (left == value && changed == null) {
        continue;
      }
      if (changed == null) {
        changed = JsonObject.builder();
        for (int j = 0; j < i; j++) {
          changed.put(object.key(j), object.value(j));
        }
      }
      if (left != null) {
        changed.put(name, left);
      }
    }
    return changed == null ? object : changed.build();
  }

  /** The pruned member, or null when it is removed. */
  private @Nullable Json member(
      @Nullable StructuralSchema schema, String name, Json value, String path, boolean keeps) {
    var known = schema == null ? null : schema.member(name);
    if (known != null) {
      return pruned(value, known, known.isEmbedded(), path);
    }
    if (schema != null && schema.allowsAdditional()) {
      return pruned(value, null, false, path);
    }
    if (keeps) {
      return value;
    }
    if (!META.contains(path)) {
      unknown.accept(path);
    }
    return null;
  }
}
