package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.ObjectEdit;
import dev.muster.patch.ownership.fields.Elements;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.fields.FieldTrie;
import dev.muster.schema.ListShape;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;

/** Removes fields from an object. Unchanged parts stay the same instances. */
public final class TypedRemoval {
  private TypedRemoval() {}

  public static JsonObject remove(StructShape shape, JsonObject object, FieldSet fields) {
    return fields.isEmpty() || !(remove(shape, object, fields.toJson()) instanceof JsonObject kept)
        ? (fields.isEmpty() ? object : JsonObject.EMPTY)
        : kept;
  }

  /**
   * The value without the fields below it that the node contains; JSON null when nothing remains.
   */
  private static Json remove(Shape shape, Json value, JsonObject node) {
    if (shape instanceof ListShape list) {
      return value instanceof JsonArray items && !Typing.isLeaf(shape)
          ? items(list, items, node)
          : JsonNull.NULL;
    }
    if (value instanceof JsonObject object) {
      return Typing.isLeaf(shape) ? JsonNull.NULL : members(shape, object, node);
    }
    return value;
  }

  private static Json members(Shape shape, JsonObject object, JsonObject node) {
    var edit = new ObjectEdit(object);
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      if (node.get(Elements.field(name)) instanceof JsonObject below) {
        edit.put(
            i,
            FieldTrie.isMember(below)
                ? null
                : remove(Typing.member(shape, name), object.value(i), below));
      }
    }
    var kept = edit.build();
    return kept.isEmpty() ? JsonNull.NULL : kept;
  }

  private static Json items(ListShape list, JsonArray items, JsonObject node) {
    var kept = new ArrayList<Json>(items.size());
    boolean changed = false;
    for (var item : items) {
      var element = ListKeys.element(list, item);
      var below = element == null ? null : node.get(element);
      if (!(below instanceof JsonObject found)) {
        kept.add(item);
      } else if (FieldTrie.isMember(found)) {
        changed = true;
      } else {
        var rest = remove(list.items(), item, found);
        changed |= rest != item;
        kept.add(rest);
      }
    }
    if (kept.isEmpty()) {
      return JsonNull.NULL;
    }
    return changed ? JsonArray.of(kept) : items;
  }
}
