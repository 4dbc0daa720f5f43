package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.patch.edit.GoValue;
import dev.muster.schema.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges lists of a strategic merge patch: sets of scalars, and lists of objects with a merge key.
 * New items come first; the others keep their order. Takes linear time.
 */
final class StrategicList {
  private StrategicList() {}

  /**
   * @param deletes whether the patch lists the items to remove
   */
  static JsonArray merge(
      Shape items, JsonArray original, JsonArray patch, String mergeKey, boolean deletes) {
    if (original.isEmpty() && patch.isEmpty()) {
      return original;
    }
    if (!holdsObjects(original, patch)) {
      return deletes ? without(original, patch) : union(original, patch);
    }
    if (mergeKey.isEmpty()) {
      throw ApiException.badRequest("cannot merge lists without merge key for struct");
    }
    var changes = new ArrayList<Json>();
    var deleted = new HashSet<Object>();
    boolean replaces = special(patch, mergeKey, changes, deleted);
    if (replaces) {
      return order(JsonArray.of(changes), JsonArray.EMPTY, JsonArray.of(changes), mergeKey);
    }
    var kept = keep(original, deleted, mergeKey);
    var merged = mergeItems(items, kept, changes, mergeKey);
    return order(merged, JsonArray.of(changes), kept, mergeKey);
  }

  /** Splits the patch into changes and deletions; returns whether it replaces the whole list. */
  private static boolean special(
      JsonArray patch, String mergeKey, List<Json> changes, Set<Object> deleted) {
    boolean replaces = false;
    for (var item : patch) {
      var object = (JsonObject) item;
      var directive = object.get(Directives.PATCH);
      if (directive == null) {
        changes.add(object);
        continue;
      }
      switch (directive.text()) {
        case "delete" -> deleted.add(identity(Directives.mergeValue(object, mergeKey)));
        case "replace" -> replaces = true;
        case "merge" ->
            throw ApiException.badRequest("merging lists cannot yet be specified in the patch");
        case null, default -> throw Directives.unknown(directive, object);
      }
    }
    return replaces;
  }

  private static JsonArray keep(JsonArray original, Set<Object> deleted, String mergeKey) {
    if (deleted.isEmpty()) {
      return original;
    }
    var kept = new ArrayList<Json>(original.size());
    for (var item : original) {
      var value = ((JsonObject) item).get(mergeKey);
      if (value == null || !deleted.contains(identity(value))) {
        kept.add(item);
      }
    }
    return kept.size() == original.size() ? original : JsonArray.of(kept);
  }

  private static JsonArray mergeItems(
      Shape items, JsonArray original, List<Json> changes, String mergeKey) {
    var merged = new ArrayList<>(original.asList());
    var positions = positions(original, mergeKey);
    boolean changed = false;
    for (var change : changes) {
      var object = (JsonObject) change;
      var key = identity(Directives.mergeValue(object, mergeKey));
      var position = positions.putIfAbsent(key, merged.size());
      if (position == null) {
        merged.add(object);
        changed = true;
      } else {
        var before = (JsonObject) merged.get(position);
        var after = StrategicMerge.merge(items, before, object);
        merged.set(position, after);
        changed |= after != before;
      }
    }
    return changed ? JsonArray.of(merged) : original;
  }

  /**
   * Sorts a merged list: items in the patch's order follow that order, the others follow the
   * previous order, and both are interleaved by the previous order; new items come first.
   */
  static JsonArray order(
      JsonArray merged, JsonArray patchOrder, JsonArray before, String mergeKey) {
    var patchPositions = checkedPositions(patchOrder, mergeKey);
    var positions = checkedPositions(before, mergeKey);
    var fromPatch = new ArrayList<Json>();
    var others = new ArrayList<Json>();
    for (var item : merged) {
      boolean listed = patchPositions.containsKey(checkedIdentity(item, mergeKey));
      (listed ? fromPatch : others).add(item);
    }
    fromPatch.sort(byPosition(patchPositions, mergeKey));
    others.sort(byPosition(positions, mergeKey));
    var ordered = new Json[merged.size()];
    boolean same = true;
    for (int i = 0, left = 0, right = 0; i < ordered.length; i++) {
      boolean takeLeft = right == fromPatch.size();
      if (!takeLeft && left < others.size()) {
        var l = positions.get(itemIdentity(others.get(left), mergeKey));
        var r = positions.get(itemIdentity(fromPatch.get(right), mergeKey));
        takeLeft = l != null && r != null && l < r;
      }
      ordered[i] = takeLeft ? others.get(left++) : fromPatch.get(right++);
      same &= ordered[i] == merged.get(i);
    }
    return same ? merged : JsonArray.owning(ordered);
  }

  private static Comparator<Json> byPosition(Map<Object, Integer> positions, String mergeKey) {
    return Comparator.comparingInt(
        item -> positions.getOrDefault(itemIdentity(item, mergeKey), Integer.MAX_VALUE));
  }

  private static Map<Object, Integer> positions(JsonArray list, String mergeKey) {
    var positions = new HashMap<Object, Integer>(list.size() * 2);
    for (int i = 0; i < list.size(); i++) {
      positions.putIfAbsent(itemIdentity(list.get(i), mergeKey), i);
    }
    return positions;
  }

  private static Map<Object, Integer> checkedPositions(JsonArray list, String mergeKey) {
    var positions = new HashMap<Object, Integer>(list.size() * 2);
    for (int i = 0; i < list.size(); i++) {
      positions.putIfAbsent(checkedIdentity(list.get(i), mergeKey), i);
    }
    return positions;
  }

  /** The identity of the item in its list; an item without its merge key is an error. */
  private static Object checkedIdentity(Json item, String mergeKey) {
    return mergeKey.isEmpty()
        ? identity(item)
        : identity(Directives.mergeValue(Directives.object(item), mergeKey));
  }

  private static Object itemIdentity(Json item, String mergeKey) {
    if (mergeKey.isEmpty()) {
      return identity(item);
    }
    var value = item instanceof JsonObject object ? object.get(mergeKey) : null;
    return value == null ? item : identity(value);
  }

  /** The value in a form for which hash collisions in a hash table are cheap. */
  private static Object identity(Json value) {
    return switch (value) {
      case JsonString string -> string.value();
      case JsonInteger integer -> integer.value();
      case Json other -> "json " + other;
    };
  }

  private static boolean holdsObjects(JsonArray original, JsonArray patch) {
    Class<?> type = null;
    for (var list : List.of(original, patch)) {
      for (var item : list) {
        if (type == null) {
          type = item.getClass();
          if (item instanceof JsonArray) {
            throw JsonPatch.refused();
          }
        } else if (item.getClass() != type) {
          throw ApiException.badRequest(
              "list element types are not identical: "
                  + GoValue.print(JsonArray.of(original, patch)));
        }
      }
    }
    return type == JsonObject.class;
  }

  private static JsonArray without(JsonArray original, JsonArray deleted) {
    var gone = new HashSet<Object>();
    deleted.forEach(item -> gone.add(identity(item)));
    var kept = new ArrayList<Json>(original.size());
    for (var item : original) {
      if (!gone.contains(identity(item))) {
        kept.add(item);
      }
    }
    return kept.size() == original.size() ? original : JsonArray.of(kept);
  }

  private static JsonArray union(JsonArray original, JsonArray patch) {
    var seen = new HashSet<Object>();
    var distinct = new ArrayList<Json>();
    for (var list : List.of(original, patch)) {
      for (var item : list) {
        if (seen.add(identity(item))) {
          distinct.add(item);
        }
      }
    }
    var merged = JsonArray.of(distinct);
    var ordered = order(merged, patch, original, "");
    return ordered.equals(original) ? original : ordered;
  }
}
