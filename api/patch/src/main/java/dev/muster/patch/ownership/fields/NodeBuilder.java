package dev.muster.patch.ownership.fields;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Collects the children of a node of a field set, in any order. Only one thread uses it. */
public final class NodeBuilder {
  /** From this number of children on, each element is parsed once instead of at each comparison. */
  private static final int LONG = 32;

  private record Child(String element, JsonObject node) {}

  private record Read(Child child, Json content) {
    static Read of(Child child) {
      char kind = child.element().charAt(0);
      boolean hasContent = kind == 'k' || kind == 'v';
      return new Read(child, hasContent ? Elements.content(child.element()) : JsonNull.NULL);
    }

    static int compare(Read left, Read right) {
      char kind = left.child().element().charAt(0);
      return kind == right.child().element().charAt(0) && (kind == 'k' || kind == 'v')
          ? ElementOrder.compare(left.content(), right.content())
          : ElementOrder.compare(left.child().element(), right.child().element());
    }
  }

  private ArrayList<Child> children = new ArrayList<>();
  private boolean sorted = true;

  /**
   * Adds a child, unless the node is null. A second child with the same element is merged into the
   * first.
   */
  public void add(String element, @Nullable JsonObject node) {
    if (node == null) {
      return;
    }
    sorted = sorted && (isEmpty() || ElementOrder.compare(last().element(), element) < 0);
    children.add(new Child(element, node));
  }

  private Child last() {
    return children.get(children.size() - 1);
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  /** The children only. */
  JsonObject level() {
    if (isEmpty()) {
      return JsonObject.EMPTY;
    }
    if (!sorted) {
      sort();
    }
    var keys = new String[children.size()];
    var values = new Json[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = children.get(i).element();
      values[i] = children.get(i).node();
    }
    return JsonObject.ofUnique(keys, values);
  }

  /** The node with these children; null when it has none and is not in the set itself. */
  public @Nullable JsonObject node(boolean member) {
    return FieldTrie.node(level(), member);
  }

  private void sort() {
    if (children.size() < LONG) {
      children.sort(Comparator.comparing(Child::element, ElementOrder::compare));
    } else {
      var read = new ArrayList<Read>(children.size());
      children.forEach(child -> read.add(Read.of(child)));
      read.sort(Read::compare);
      for (int i = 0; i < read.size(); i++) {
        children.set(i, read.get(i).child());
      }
    }
    sorted = true;
    uniteEqual();
  }

  private void uniteEqual() {
    var distinct = new ArrayList<Child>(children.size());
    for (var child : children) {
      var before = distinct.isEmpty() ? null : distinct.get(distinct.size() - 1);
      if (before != null && before.element().equals(child.element())) {
        distinct.set(distinct.size() - 1, new Child(child.element(), both(before, child)));
      } else {
        distinct.add(child);
      }
    }
    children = distinct;
  }

  private static JsonObject both(Child one, Child two) {
    boolean member = FieldTrie.isMember(one.node()) || FieldTrie.isMember(two.node());
    var node = FieldTrie.node(FieldTrie.union(one.node(), two.node()), member);
    return node == null ? JsonObject.EMPTY : node;
  }
}
