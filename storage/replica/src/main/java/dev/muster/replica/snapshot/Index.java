package dev.muster.replica.snapshot;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.tree.KeyOrder;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortedTree;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The objects of a collection by the value of one label or field. Immutable. */
public record Index(String name, ObjectOrder.ByValue order, SortedTree<StoredObject> tree) {

  public static Index ofLabel(String key, SortedTree<StoredObject> objects) {
    var order =
        new ObjectOrder.ByValue() {
          @Override
          @Nullable String value(StoredObject object) {
            return object.label(key);
          }
        };
    return build(key, order, objects);
  }

  static Index ofField(String field, int number, SortedTree<StoredObject> objects) {
    var order =
        new ObjectOrder.ByValue() {
          @Override
          String value(StoredObject object) {
            return object.field(number);
          }
        };
    return build(field, order, objects);
  }

  private static Index build(
      String name, ObjectOrder.ByValue order, SortedTree<StoredObject> objects) {
    var found = new ArrayList<StoredObject>();
    for (var all = objects.iterator(0, objects.size()); all.hasNext(); ) {
      var object = all.next();
      if (order.value(object) != null) {
        found.add(object);
      }
    }
    // The objects are in key order already, and the sort keeps this order among equal values.
    found.sort(
        (a, b) ->
            KeyOrder.texts(
                Objects.requireNonNull(order.value(a)), Objects.requireNonNull(order.value(b))));
    return new Index(name, order, SortedTree.of(order, found));
  }

  /** This index after one object has replaced another. */
  Index changed(@Nullable StoredObject before, @Nullable StoredObject after) {
    var old = before == null ? null : order.value(before);
    var now = after == null ? null : order.value(after);
    var changed = tree;
    if (before != null && old != null && !old.equals(now)) {
      changed = changed.remove(order.probe(before));
    }
    if (after != null && now != null) {
      changed = changed.put(after);
    }
    return changed == tree ? this : new Index(name, order, changed);
  }

  /** The objects with that value, in one namespace or, if null, in all. */
  public Range range(String value, @Nullable String namespace) {
    return namespace == null
        ? new TreeRange(tree, value, Probe.first(value), Probe.last(value))
        : new TreeRange(tree, value, Probe.first(value, namespace), Probe.last(value, namespace));
  }
}
