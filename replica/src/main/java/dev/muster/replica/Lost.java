package dev.muster.replica;

import org.jspecify.annotations.Nullable;

/**
 * An unreadable object, and the last version of it that could be read: what watchers still take it
 * for.
 *
 * @param value what is stored, where it may be read in another way later; else null
 */
record Lost(UnreadableObject object, @Nullable StoredObject last, byte @Nullable [] value) {
  static final Order<Lost> ORDER =
      new Order<>() {
        @Override
        int compare(Probe probe, Lost item) {
          var name = item.object.name();
          return KeyOrder.compare(probe.namespace(), probe.name(), name.namespace(), name.name());
        }

        @Override
        Probe probe(Lost item) {
          return Probe.of(item.object.name());
        }
      };

  Lost after(@Nullable StoredObject lastReadable) {
    return new Lost(object, lastReadable, value);
  }
}
