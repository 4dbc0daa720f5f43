package dev.muster.replica;

import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.StringPool;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.snapshot.LastReadableObject;
import dev.muster.store.Entry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes stored values into objects; never throws. The applier and its loader threads share it.
 */
final class Decoding {
  private static final Logger LOG = LoggerFactory.getLogger(Decoding.class);
  private static final int MOST_KEYS_LOGGED = 1_000;

  /** The result of decoding a value. Exactly one component is not null. */
  record Outcome(@Nullable StoredObject object, @Nullable LastReadableObject lost) {}

  private final KeySpace first;
  private final StringPool words = new StringPool();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * @param first the collections that never change; objects of all other collections keep their
   *     stored value, so that they can be decoded again after a definition changes
   */
  Decoding(KeySpace first) {
    this.first = first;
  }

  private boolean isFixed(CollectionSpec collection) {
    return first.collection(collection.storage()) == collection;
  }

  Outcome decode(KeySpace.KeyLocation place, Entry entry) {
    var collection = place.collection();
    var key = entry.key();
    var value = entry.value();
    long revision = entry.modRevision();
    var encryptionState = entry.sealing();
    if (encryptionState.isClosed()) {
      if (logs(key)) {
        LOG.error("The value of {} at revision {}: {}", key, revision, encryptionState.trouble());
      }
      return lost(place, entry, encryptionState.trouble());
    }
    try {
      var decoded = collection.decoder().decode(value, revision);
      return new Outcome(
          new StoredObject(
              place.name(),
              revision,
              decoded,
              isFixed(collection) ? null : value,
              encryptionState,
              collection.indexes(),
              words),
          null);
    } catch (RuntimeException | StackOverflowError unreadable) {
      if (logs(key)) {
        // A decoder's message may quote the value, and an encrypted value must not reach the server
        // log.
        boolean secret = !encryptionState.by().isEmpty();
        LOG.error(
            "The value of {} at revision {} cannot be decoded{}",
            key,
            revision,
            secret ? ": " + unreadable.getClass().getSimpleName() : "",
            secret ? null : unreadable);
      }
      var why = unreadable.getMessage();
      return lost(place, entry, why == null ? unreadable.toString() : why);
    }
  }

  private boolean logs(String key) {
    return logged.size() < MOST_KEYS_LOGGED && logged.add(key);
  }

  private Outcome lost(KeySpace.KeyLocation place, Entry entry, String why) {
    var object = new UnreadableObject(entry.key(), place.name(), entry.modRevision(), why);
    return new Outcome(
        null, new LastReadableObject(object, null, isFixed(place.collection()) ? null : entry));
  }
}
