package dev.muster.replica;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Used by the applier and the loaders: makes objects of stored values. Never throws. */
final class Decoding {
  private static final Logger LOG = LoggerFactory.getLogger(Decoding.class);
  private static final int MOST_KEYS_LOGGED = 1_000;

  /** What became of a value: one of the two. */
  record Outcome(@Nullable StoredObject object, @Nullable UnreadableSince lost) {}

  private final KeySpace first;
  private final StringPool words = new StringPool();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * @param first the collections that never change; objects of all others can give back the value
   *     that they were made of, for when they must be read anew
   */
  Decoding(KeySpace first) {
    this.first = first;
  }

  private boolean isFixed(CollectionSpec collection) {
    return first.collection(collection.storage()) == collection;
  }

  Outcome decode(KeySpace.Place place, String key, byte[] value, long revision) {
    var collection = place.collection();
    try {
      var decoded = collection.decoder().decode(value, revision);
      return new Outcome(
          new StoredObject(
              place.name(),
              revision,
              decoded,
              isFixed(collection) ? null : value,
              collection.indexes(),
              words),
          null);
    } catch (RuntimeException | StackOverflowError unreadable) {
      if (logged.size() < MOST_KEYS_LOGGED && logged.add(key)) {
        LOG.error("The value of {} at revision {} cannot be decoded", key, revision, unreadable);
      }
      var why = unreadable.getMessage();
      var object =
          new UnreadableObject(
              key, place.name(), revision, why == null ? unreadable.toString() : why);
      return new Outcome(
          null, new UnreadableSince(object, null, isFixed(collection) ? null : value));
    }
  }
}
