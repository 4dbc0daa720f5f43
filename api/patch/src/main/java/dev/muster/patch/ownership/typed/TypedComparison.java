package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.Elements;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.fields.MalformedFieldsException;
import dev.muster.patch.ownership.fields.NodeBuilder;
import dev.muster.schema.ListShape;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that differ between two states of an object. Values that are the same instance are
 * skipped.
 *
 * @param changed the fields that are new or have another value
 * @param removed the fields that only the old state has
 */
public record TypedComparison(FieldSet changed, FieldSet removed) {
  static final TypedComparison SAME = new TypedComparison(FieldSet.EMPTY, FieldSet.EMPTY);

  public static TypedComparison of(StructShape shape, JsonObject before, JsonObject after) {
    return of(shape, before, after, new Walk(false));
  }

  /**
   * Compares two states, and requires that every new item of a keyed list has its key.
   *
   * @throws MalformedFieldsException when an item has none
   */
  public static TypedComparison ofKeyed(StructShape shape, JsonObject before, JsonObject after) {
    return of(shape, before, after, new Walk(true));
  }

  private static TypedComparison of(
      StructShape shape, JsonObject before, JsonObject after, Walk walk) {
    walk.visit(shape, before, after);
    if (walk.changed == null && walk.removed == null) {
      return SAME;
    }
    return new TypedComparison(root(walk.changed), root(walk.removed));
  }

  private static FieldSet root(@Nullable JsonObject node) {
    return node == null ? FieldSet.EMPTY : FieldSet.trusted(node);
  }

  public boolean isSame() {
    return changed.isEmpty() && removed.isEmpty();
  }

  public TypedComparison filtered(FieldFilter filter) {
    return isSame() || filter == FieldFilter.NONE
        ? this
        : new TypedComparison(filter.apply(changed), filter.apply(removed));
  }

  /** One comparison of two objects. Only one thread uses it. */
  private static final class Walk {
    /** The results of the last visit, as nodes of field sets; null when empty. */
    private @Nullable JsonObject changed;

    private @Nullable JsonObject removed;
    private final boolean keyed;

    Walk(boolean keyed) {
      this.keyed = keyed;
    }

    void visit(Shape shape, @Nullable Json before, @Nullable Json after) {
      changed = null;
      removed = null;
      if (before == after) {
        return;
      }
      if (Typing.isLeaf(shape, before, after)
          || (Typing.isEmpty(before) && Typing.isEmpty(after))) {
        leaf(before, after);
      } else if (shape instanceof ListShape list) {
        items(list, before, after);
      } else {
        members(shape, before, after);
      }
    }

    private void leaf(@Nullable Json before, @Nullable Json after) {
      if (after == null) {
        removed = JsonObject.EMPTY;
      } else if (before == null || !Typing.same(before, after)) {
        changed = JsonObject.EMPTY;
      }
    }

    private void members(Shape shape, @Nullable Json before, @Nullable Json after) {
      var found = new Found();
      var old = Typing.object(before);
      var now = Typing.object(after);
      if (now != null) {
        for (int i = 0; i < now.size(); i++) {
          var key = now.key(i);
          var value = old == null ? null : memberAt(old, i, key);
          if (value != now.value(i)) {
            visit(Typing.member(shape, key), value, now.value(i));
            found.add(Elements.field(key), this);
          }
        }
      }
      if (old != null) {
        for (int i = 0; i < old.size(); i++) {
          var key = old.key(i);
          if (now == null || memberAt(now, i, key) == null) {
            visit(Typing.member(shape, key), old.value(i), null);
            found.add(Elements.field(key), this);
          }
        }
      }
      finish(found, before, after);
    }

    /** The member of that name, looked up first at that position. */
    private static @Nullable Json memberAt(JsonObject object, int position, String key) {
      return position < object.size() && object.key(position).equals(key)
          ? object.value(position)
          : object.get(key);
    }

    private void items(ListShape list, @Nullable Json before, @Nullable Json after) {
      var found = new Found();
      var old = elements(list, Typing.array(before), false);
      var now = elements(list, Typing.array(after), keyed);
      for (var entry : now.entrySet()) {
        item(
            list,
            entry.getKey(),
            old.getOrDefault(entry.getKey(), List.of()),
            entry.getValue(),
            found);
      }
      for (var entry : old.entrySet()) {
        if (!now.containsKey(entry.getKey())) {
          item(list, entry.getKey(), entry.getValue(), List.of(), found);
        }
      }
      finish(found, before, after);
    }

    private static Map<String, List<Json>> elements(
        ListShape list, @Nullable JsonArray items, boolean keyed) {
      if (items == null) {
        return Map.of();
      }
      var elements = LinkedHashMap.<String, List<Json>>newLinkedHashMap(items.size());
      for (var item : items) {
        var element = ListKeys.element(list, item);
        if (element == null && keyed) {
          throw new MalformedFieldsException(ListKeys.complaint(list, item));
        }
        if (element != null) {
          var known = elements.putIfAbsent(element, List.of(item));
          if (known instanceof ArrayList<Json> several) {
            several.add(item);
          } else if (known != null) {
            var several = new ArrayList<>(known);
            several.add(item);
            elements.put(element, several);
          }
        }
      }
      return elements;
    }

    /** Compares items with the same key; several items with one key count as one value. */
    private void item(
        ListShape list, String element, List<Json> before, List<Json> after, Found found) {
      if (before.size() <= 1 && after.size() <= 1) {
        visit(
            list.items(),
            before.isEmpty() ? null : before.getFirst(),
            after.isEmpty() ? null : after.getFirst());
        found.add(element, this);
        return;
      }
      if (before.size() > 1 && after.size() > 1) {
        if (!before.equals(after)) {
          found.changed().add(element, JsonObject.EMPTY);
        }
        return;
      }
      if (before.size() > 1) {
        if (!after.isEmpty()) {
          visit(list.items(), null, after.getFirst());
          found.add(element, this);
        }
        found.removed().add(element, JsonObject.EMPTY);
      } else {
        if (!before.isEmpty()) {
          visit(list.items(), before.getFirst(), null);
          found.add(element, this);
        }
        found.changed().add(element, JsonObject.EMPTY);
      }
    }

    private void finish(Found found, @Nullable Json before, @Nullable Json after) {
      changed = Found.node(found.changed, before == null);
      removed = Found.node(found.removed, after == null);
    }
  }

  /** The differences among the members of one value. */
  private static final class Found {
    private @Nullable NodeBuilder changed;
    private @Nullable NodeBuilder removed;

    void add(String element, Walk visited) {
      if (visited.changed != null) {
        changed().add(element, visited.changed);
      }
      if (visited.removed != null) {
        removed().add(element, visited.removed);
      }
    }

    NodeBuilder changed() {
      var builder = changed == null ? new NodeBuilder() : changed;
      changed = builder;
      return builder;
    }

    NodeBuilder removed() {
      var builder = removed == null ? new NodeBuilder() : removed;
      removed = builder;
      return builder;
    }

    static @Nullable JsonObject node(@Nullable NodeBuilder children, boolean member) {
      if (children == null) {
        return member ? JsonObject.EMPTY : null;
      }
      return children.node(member);
    }
  }
}
