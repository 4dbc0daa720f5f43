package dev.muster.patch.ownership.fields;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.ObjectEdit;
import org.jspecify.annotations.Nullable;

/**
 * Set operations on the JSON of field sets. A node is itself in the set when it is empty or has the
 * member {@code .}, which comes first; its other members are its children in {@link ElementOrder}.
 * The root is never in the set, so an empty root is the empty set.
 */
public final class FieldTrie {
  private static final String SELF = ".";

  private FieldTrie() {}

  public static boolean isMember(JsonObject node) {
    return node.isEmpty() || node.key(0).equals(SELF);
  }

  public static int firstChild(JsonObject node) {
    return !node.isEmpty() && node.key(0).equals(SELF) ? 1 : 0;
  }

  /**
   * A node with these children, itself in the set or not; null when it has no children and is not
   * in the set.
   */
  public static @Nullable JsonObject node(JsonObject children, boolean member) {
    boolean marked = firstChild(children) == 1;
    if (children.size() == (marked ? 1 : 0)) {
      return member ? JsonObject.EMPTY : null;
    }
    if (marked == member) {
      return children;
    }
    if (marked) {
      return children.without(SELF);
    }
    var keys = new String[children.size() + 1];
    var values = new Json[keys.length];
    keys[0] = SELF;
    values[0] = JsonObject.EMPTY;
    for (int i = 1; i < keys.length; i++) {
      keys[i] = children.key(i - 1);
      values[i] = children.value(i - 1);
    }
    return JsonObject.ofUnique(keys, values);
  }

  private static JsonObject child(JsonObject node, int index) {
    return (JsonObject) node.value(index);
  }

  /**
   * @param values whether leaves of the second set are whole values, which also remove all below
   *     them from the first set
   */
  static JsonObject difference(JsonObject from, JsonObject what, boolean values) {
    var edit = new ObjectEdit(from);
    for (int i = firstChild(what); i < what.size(); i++) {
      int at = from.indexOf(what.key(i));
      if (at >= 0) {
        var old = child(from, at);
        var gone = child(what, i);
        boolean member = isMember(old) && !isMember(gone);
        boolean whole = old.isEmpty() || (values && gone.isEmpty());
        var rest = whole ? JsonObject.EMPTY : difference(old, gone, values);
        edit.put(at, node(rest, member));
      }
    }
    return edit.build();
  }

  static JsonObject deepDifference(JsonObject from, JsonObject what) {
    var edit = new ObjectEdit(from);
    for (int i = firstChild(what); i < what.size(); i++) {
      int at = from.indexOf(what.key(i));
      if (at >= 0) {
        var old = child(from, at);
        var gone = child(what, i);
        edit.put(at, isMember(gone) ? null : node(deepDifference(old, gone), isMember(old)));
      }
    }
    return edit.build();
  }

  /**
   * @param values whether leaves of the second set are whole values, which match when the first set
   *     has anything below them
   */
  static JsonObject intersection(JsonObject left, JsonObject right, boolean values) {
    var found = new NodeBuilder();
    for (int i = firstChild(right); i < right.size(); i++) {
      int at = left.indexOf(right.key(i));
      if (at >= 0) {
        var l = child(left, at);
        var r = child(right, i);
        boolean member = isMember(r) && (isMember(l) || (values && r.isEmpty()));
        found.add(right.key(i), node(intersection(l, r, values), member));
      }
    }
    return found.level();
  }

  static JsonObject union(JsonObject left, JsonObject right) {
    if (left == right || firstChild(right) == right.size()) {
      return left;
    }
    var edit = new ObjectEdit(left);
    var added = new NodeBuilder();
    for (int i = firstChild(right); i < right.size(); i++) {
      int at = left.indexOf(right.key(i));
      var r = child(right, i);
      if (at < 0) {
        added.add(right.key(i), r);
      } else {
        var l = child(left, at);
        edit.put(at, node(union(l, r), isMember(l) || isMember(r)));
      }
    }
    return added.isEmpty() ? edit.build() : weave(edit.build(), added.level());
  }

  /** Merges two nodes that have no child in common. */
  private static JsonObject weave(JsonObject left, JsonObject right) {
    int size = left.size() + right.size();
    var keys = new String[size];
    var values = new Json[size];
    int l = 0;
    int r = 0;
    for (int i = 0; i < size; i++) {
      boolean takeLeft =
          r == right.size()
              || (l < left.size()
                  && (left.key(l).equals(SELF)
                      || ElementOrder.compare(left.key(l), right.key(r)) < 0));
      keys[i] = takeLeft ? left.key(l) : right.key(r);
      values[i] = takeLeft ? left.value(l++) : right.value(r++);
    }
    return JsonObject.ofUnique(keys, values);
  }

  /**
   * Converts any fieldsV1 to the form that this class uses.
   *
   * @throws MalformedFieldsException when it is invalid
   */
  static JsonObject canonical(Json fieldsV1) {
    if (fieldsV1 == JsonNull.NULL) {
      return JsonObject.EMPTY;
    }
    if (!(fieldsV1 instanceof JsonObject object)) {
      throw new MalformedFieldsException("expect { or n, but found " + fieldsV1);
    }
    var level = new NodeBuilder();
    for (int i = 0; i < object.size(); i++) {
      if (!object.key(i).equals(SELF)) {
        var element = Elements.canonical(object.key(i));
        if (element != null) {
          level.add(element, canonicalNode(object.value(i)));
        }
      }
    }
    return level.level();
  }

  private static JsonObject canonicalNode(Json value) {
    var children = canonical(value);
    boolean member = children.isEmpty() || (value instanceof JsonObject o && o.has(SELF));
    var node = node(children, member);
    return node == null ? JsonObject.EMPTY : node;
  }
}
