package dev.muster.replica;

import dev.muster.store.Entry;
import org.jspecify.annotations.Nullable;

/** What a {@link SortedTree} is sorted by. */
abstract class SortOrder<E> {

  /** Negative when the probe comes before the item, zero at its place. */
  abstract int compare(Probe probe, E item);

  /** The place of an item. */
  abstract Probe probe(E item);

  /** Objects by their store key. */
  static final SortOrder<StoredObject> BY_NAME =
      new SortOrder<>() {
        @Override
        int compare(Probe probe, StoredObject item) {
          return KeyOrder.compare(
              probe.namespace(), probe.name(), item.namespace(), item.simpleName());
        }

        @Override
        Probe probe(StoredObject item) {
          return Probe.of(item.namespace(), item.simpleName());
        }
      };

  /** Entries by their key. */
  static final SortOrder<Entry> BY_KEY =
      new SortOrder<>() {
        @Override
        int compare(Probe probe, Entry item) {
          return KeyOrder.texts(probe.name(), item.key());
        }

        @Override
        Probe probe(Entry item) {
          return Probe.of("", item.key());
        }
      };

  /** What an index is made of: objects by one of their values, then by store key. */
  abstract static class ByValue extends SortOrder<StoredObject> {
    /** The value to index the object by, or null when it is not in the index. */
    abstract @Nullable String value(StoredObject object);

    @Override
    int compare(Probe probe, StoredObject item) {
      var value = value(item);
      int order = KeyOrder.texts(probe.value(), value == null ? "" : value);
      return order != 0
          ? order
          : KeyOrder.compare(probe.namespace(), probe.name(), item.namespace(), item.simpleName());
    }

    @Override
    Probe probe(StoredObject item) {
      var value = value(item);
      return new Probe(value == null ? "" : value, item.namespace(), item.simpleName());
    }
  }
}
