package dev.muster.replica.snapshot;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.tree.KeyOrder;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortOrder;
import org.jspecify.annotations.Nullable;

/** The sort orders of the object trees. */
public final class ObjectOrder {
  private ObjectOrder() {}

  /** Orders objects by their store key. */
  public static final SortOrder<StoredObject> BY_NAME =
      new SortOrder<>() {
        @Override
        public int compare(Probe probe, StoredObject item) {
          return KeyOrder.compare(
              probe.namespace(), probe.name(), item.namespace(), item.simpleName());
        }

        @Override
        public Probe probe(StoredObject item) {
          return Probe.of(item.namespace(), item.simpleName());
        }
      };

  /** Orders objects by one of their values, then by store key; the order of an index. */
  abstract static class ByValue extends SortOrder<StoredObject> {
    /** The value by which to index the object, or null when the index leaves it out. */
    abstract @Nullable String value(StoredObject object);

    @Override
    public int compare(Probe probe, StoredObject item) {
      var value = value(item);
      int order = KeyOrder.texts(probe.value(), value == null ? "" : value);
      return order != 0
          ? order
          : KeyOrder.compare(probe.namespace(), probe.name(), item.namespace(), item.simpleName());
    }

    @Override
    public Probe probe(StoredObject item) {
      var value = value(item);
      return new Probe(value == null ? "" : value, item.namespace(), item.simpleName());
    }
  }
}
