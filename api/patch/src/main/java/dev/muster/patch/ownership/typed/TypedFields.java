package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.ObjectEdit;
import dev.muster.patch.ownership.fields.Elements;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.fields.FieldTrie;
import dev.muster.patch.ownership.fields.NodeBuilder;
import dev.muster.schema.ListShape;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/** Computes the fields of an object that its applier owns. */
public final class TypedFields {
  private TypedFields() {}

  public static FieldSet of(StructShape shape, JsonObject object) {
    var node = node(shape, object);
    return node == null ? FieldSet.EMPTY : FieldSet.trusted(node);
  }

  /** The fields at and below a value; null when there are none. */
  private static @Nullable JsonObject node(Shape shape, Json value) {
    if (Typing.isLeaf(shape, null, value)) {
      return JsonObject.EMPTY;
    }
    if (shape instanceof ListShape list) {
      return value instanceof JsonArray items ? items(list, items) : null;
    }
    return value instanceof JsonObject object ? members(shape, object) : null;
  }

  private static @Nullable JsonObject members(Shape shape, JsonObject object) {
    var children = new NodeBuilder();
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      var value = object.value(i);
      var below = node(Typing.member(shape, name), value);
      boolean empty =
          value == JsonNull.NULL || (value instanceof JsonObject struct && struct.isEmpty());
      boolean member = empty || !Typing.declares(shape, name);
      children.add(Elements.field(name), member ? withSelf(below) : below);
    }
    return children.node(false);
  }

  private static @Nullable JsonObject items(ListShape list, JsonArray items) {
    var elements = new String[items.size()];
    var seen = HashSet.<String>newHashSet(elements.length);
    var repeated = new HashSet<String>();
    for (int i = 0; i < elements.length; i++) {
      var element = ListKeys.element(list, items.get(i));
      elements[i] = element == null ? "" : element;
      if (!seen.add(elements[i])) {
        repeated.add(elements[i]);
      }
    }
    var children = new NodeBuilder();
    for (int i = 0; i < elements.length; i++) {
      if (!elements[i].isEmpty()) {
        boolean single = repeated.isEmpty() || !repeated.contains(elements[i]);
        children.add(
            elements[i], single ? withSelf(node(list.items(), items.get(i))) : JsonObject.EMPTY);
      }
    }
    return children.node(false);
  }

  private static JsonObject withSelf(@Nullable JsonObject node) {
    var with = node == null ? null : FieldTrie.node(node, true);
    return with == null ? JsonObject.EMPTY : with;
  }

  /**
   * Adds struct fields to a set if a field below them is in it. Structs have no owner of their own,
   * but are removed when all fields below them are.
   */
  public static FieldSet withNamedFields(StructShape shape, FieldSet set) {
    return FieldSet.trusted(withNamed(shape, set.toJson()));
  }

  private static JsonObject withNamed(Shape shape, JsonObject node) {
    var edit = new ObjectEdit(node);
    for (int i = FieldTrie.firstChild(node); i < node.size(); i++) {
      var child = (JsonObject) node.value(i);
      if (!child.isEmpty()) {
        var element = node.key(i);
        var below = withNamed(Typing.below(shape, element), child);
        boolean named = element.startsWith("f:") && Typing.declares(shape, element.substring(2));
        edit.put(i, FieldTrie.node(below, named || FieldTrie.isMember(child)));
      }
    }
    return edit.build();
  }
}
