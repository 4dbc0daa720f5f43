package dev.muster.replica.snapshot;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.tree.KeyOrder;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortOrder;
import org.jspecify.annotations.Nullable;

/** What the trees of objects are sorted by. */
public final class ObjectOrder {
  private ObjectOrder() {}

  /** Objects by their store key. */
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

  /** What an index is made of: objects by one of their values, then by store key. */
  abstract static class ByValue extends SortOrder<StoredObject> {
    /** The value to index the object by, or null when it is not in the index. */
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
