package dev.muster.replica;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Used by the applier and the loaders: makes objects of stored values. Never throws. */
final class Decoding {
  private static final Logger LOG = LoggerFactory.getLogger(Decoding.class);
  private static final int MOST_KEYS_LOGGED = 1_000;

  /** What became of a value: one of the two. */
  record Outcome(@Nullable StoredObject object, @Nullable UnreadableObject unreadable) {}

  private final ObjectDecoder decoder;
  private final Map<String, List<IndexedField>> fields;
  private final Words words = new Words();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  Decoding(ObjectDecoder decoder, List<IndexedField> fields) {
    this.decoder = decoder;
    this.fields = fields.stream().collect(Collectors.groupingBy(IndexedField::storage));
  }

  List<IndexedField> fields(String storage) {
    return fields.getOrDefault(storage, List.of());
  }

  Outcome decode(KeySpace.Place place, String key, byte[] value, long revision) {
    try {
      var decoded = decoder.decode(place.storage(), value, revision);
      var object =
          new StoredObject(place.name(), revision, decoded, fields(place.storage()), words);
      return new Outcome(object, null);
    } catch (RuntimeException | StackOverflowError unreadable) {
      if (logged.size() < MOST_KEYS_LOGGED && logged.add(key)) {
        LOG.error("The value of {} at revision {} cannot be decoded", key, revision, unreadable);
      }
      var why = unreadable.getMessage();
      return new Outcome(
          null,
          new UnreadableObject(
              key, place.name(), revision, why == null ? unreadable.toString() : why));
    }
  }
}
