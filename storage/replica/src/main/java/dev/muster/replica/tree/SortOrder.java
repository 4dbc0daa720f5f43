package dev.muster.replica.tree;

import dev.muster.store.Entry;

/** The sort order of a {@link SortedTree}. */
public abstract class SortOrder<E> {

  /** Negative when the probe comes before the item, zero at its position, else positive. */
  public abstract int compare(Probe probe, E item);

  /** The position of an item. */
  public abstract Probe probe(E item);

  /** Orders entries by key. */
  public static final SortOrder<Entry> BY_KEY =
      new SortOrder<>() {
        @Override
        public int compare(Probe probe, Entry item) {
          return KeyOrder.texts(probe.name(), item.key());
        }

        @Override
        public Probe probe(Entry item) {
          return Probe.of("", item.key());
        }
      };
}
