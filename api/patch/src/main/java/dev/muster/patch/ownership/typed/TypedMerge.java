package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.ObjectEdit;
import dev.muster.schema.ListShape;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges a configuration into an object: leaves of the configuration win, and lists are merged by
 * key in the order of the configuration. Unchanged parts stay the same instances.
 */
public final class TypedMerge {
  private TypedMerge() {}

  public static JsonObject merge(StructShape shape, JsonObject live, JsonObject applied) {
    return merge((Shape) shape, live, applied) instanceof JsonObject merged
        ? merged
        : JsonObject.EMPTY;
  }

  /** The merged value; null when it is empty. At least one side is present. */
  private static @Nullable Json merge(Shape shape, @Nullable Json live, @Nullable Json applied) {
    if (applied == null) {
      return live;
    }
    if (Typing.isLeaf(shape, live, applied) || (Typing.isEmpty(live) && Typing.isEmpty(applied))) {
      return live != null && live.equals(applied) ? live : applied;
    }
    return shape instanceof ListShape list
        ? items(list, live, Typing.array(applied))
        : members(shape, Typing.object(live), Typing.object(applied));
  }

  private static @Nullable Json members(
      Shape shape, @Nullable JsonObject live, @Nullable JsonObject applied) {
    if (applied == null) {
      return live;
    }
    var edit = new ObjectEdit(live == null ? JsonObject.EMPTY : live);
    for (int i = 0; i < applied.size(); i++) {
      var name = applied.key(i);
      var merged =
          merge(Typing.member(shape, name), live == null ? null : live.get(name), applied.value(i));
      if (merged == null) {
        edit.remove(name);
      } else {
        edit.put(name, merged);
      }
    }
    var result = edit.build();
    return result.isEmpty() ? null : result;
  }

  private static @Nullable Json items(
      ListShape list, @Nullable Json live, @Nullable JsonArray applied) {
    var left = Typing.array(live);
    var old = Keyed.of(list, left == null ? JsonArray.EMPTY : left);
    var now = Keyed.of(list, applied == null ? JsonArray.EMPTY : applied);
    var merged = weave(list, old, now);
    if (merged.isEmpty()) {
      return null;
    }
    return left != null && sameItems(left, merged) ? left : JsonArray.of(merged);
  }

  private static boolean sameItems(JsonArray live, List<Json> merged) {
    if (live.size() != merged.size()) {
      return false;
    }
    for (int i = 0; i < live.size(); i++) {
      if (live.get(i) != merged.get(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A list with its path elements.
   *
   * @param values the item of each element; null where several items have the same element
   */
  private record Keyed(List<String> elements, List<Json> items, Map<String, Json> values) {
    static Keyed of(ListShape list, JsonArray array) {
      var elements = new ArrayList<String>(array.size());
      var items = new ArrayList<Json>(array.size());
      var values = new HashMap<String, Json>();
      for (var item : array) {
        var element = ListKeys.element(list, item);
        if (element != null) {
          elements.add(element);
          items.add(item);
          values.merge(element, item, (first, second) -> JsonNull.NULL);
        }
      }
      return new Keyed(elements, items, values);
    }

    boolean has(String element) {
      return values.containsKey(element);
    }
  }

  /**
   * Merges two lists: common items follow the configuration's order, the others stay at their
   * place.
   */
  private static List<Json> weave(ListShape list, Keyed old, Keyed now) {
    var shared = now.elements().stream().filter(old::has).iterator();
    var next = shared.hasNext() ? shared.next() : null;
    var merged = new ArrayList<Json>();
    var done = new HashSet<String>();
    int l = 0;
    int r = 0;
    while (l < old.elements().size() || r < now.elements().size()) {
      if (l < old.elements().size() && r < now.elements().size()) {
        var element = old.elements().get(l);
        if (element.equals(now.elements().get(r))) {
          done.add(element);
          add(merged, list, old.values().get(element), now.values().get(element));
          l++;
          r++;
          next = shared.hasNext() ? shared.next() : null;
          continue;
        }
        if (now.has(element) && next != null && !next.equals(element)) {
          l++;
          continue;
        }
      }
      if (l < old.elements().size()) {
        var element = old.elements().get(l);
        if (!now.has(element)) {
          merged.add(old.items().get(l));
          l++;
          continue;
        }
        if (done.contains(element)) {
          l++;
        }
      }
      if (r < now.elements().size()) {
        var element = now.elements().get(r);
        done.add(element);
        add(merged, list, old.values().get(element), now.values().get(element));
        r++;
        if (element.equals(next)) {
          next = shared.hasNext() ? shared.next() : null;
        }
      }
    }
    return merged;
  }

  private static void add(
      List<Json> merged, ListShape list, @Nullable Json live, @Nullable Json applied) {
    var item = merge(list.items(), live, applied);
    if (item != null) {
      merged.add(item);
    }
  }
}
