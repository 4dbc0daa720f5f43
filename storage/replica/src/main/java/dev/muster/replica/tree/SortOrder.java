package dev.muster.replica.tree;

import dev.muster.store.Entry;

/** What a {@link SortedTree} is sorted by. */
public abstract class SortOrder<E> {

  /** Negative when the probe comes before the item, zero at its place. */
  public abstract int compare(Probe probe, E item);

  /** The place of an item. */
  public abstract Probe probe(E item);

  /** Entries by their key. */
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
