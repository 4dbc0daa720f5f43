package dev.muster.replica.snapshot;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.tree.KeyOrder;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortOrder;
import dev.muster.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * An unreadable object with its last readable version, which watchers still have.
 *
 * @param entry the stored entry, where a later definition may be able to decode it; else null
 */
public record LastReadableObject(
    UnreadableObject object, @Nullable StoredObject last, @Nullable Entry entry) {
  static final SortOrder<LastReadableObject> ORDER =
      new SortOrder<>() {
        @Override
        public int compare(Probe probe, LastReadableObject item) {
          var name = item.object.name();
          return KeyOrder.compare(probe.namespace(), probe.name(), name.namespace(), name.name());
        }

        @Override
        public Probe probe(LastReadableObject item) {
          return Probe.of(item.object.name());
        }
      };

  public LastReadableObject after(@Nullable StoredObject lastReadable) {
    return new LastReadableObject(object, lastReadable, entry);
  }
}
