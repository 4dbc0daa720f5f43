package dev.muster.store.etcd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the newest revisions that the store has followed. They identify the history when
 * etcd answers again. Thread-safe: its own monitor guards it.
 *
 * <p>An object's key, its counters and a hash of its value identify a change: two diverged
 * histories do not both make the same change at the same revision.
 */
final class HistoryRecord {
  private static final int REVISIONS = 256;

  /**
   * The maximum number of keys kept per revision. Revisions with more keys, such as a lease expiry,
   * drop the rest.
   */
  private static final int KEYS = 32;

  private static final int REVISIONS_OF_EVIDENCE = 8;

  /** The state of a key after a revision; version 0 when that revision deleted it. */
  record KeyState(byte[] key, long createRevision, long modRevision, long version, int valueHash) {
    static KeyState of(Responses.Event event) {
      var value = event.value();
      return value == null
          ? new KeyState(event.key(), 0, event.modRevision(), 0, 0)
          : new KeyState(
              event.key(),
              event.createRevision(),
              event.modRevision(),
              event.version(),
              Arrays.hashCode(value));
    }

    static KeyState of(Responses.KeyValue stored) {
      return new KeyState(
          stored.key(),
          stored.createRevision(),
          stored.modRevision(),
          stored.version(),
          Arrays.hashCode(stored.value()));
    }

    boolean isDeleted() {
      return version == 0;
    }

    boolean isSame(KeyState other) {
      return hasSameCounters(other) && valueHash == other.valueHash;
    }

    boolean hasSameCounters(KeyState other) {
      return createRevision == other.createRevision
          && modRevision == other.modRevision
          && version == other.version
          && Arrays.equals(key, other.key);
    }
  }

  /** The state of some keys at a revision. */
  record Evidence(long revision, List<KeyState> keys) {
    /** Whether the keys that etcd returns for that revision match this evidence. */
    boolean holds(List<Responses.KeyValue> found) {
      for (var expected : keys) {
        KeyState there = null;
        for (var entry : found) {
          there = Arrays.equals(entry.key(), expected.key) ? KeyState.of(entry) : there;
        }
        if (expected.isDeleted()
            ? there != null
            : there == null || !expected.hasSameCounters(there)) {
          return false;
        }
      }
      return true;
    }
  }

  private record Revision(long number, List<KeyState> keys) {}

  private final ArrayDeque<Revision> newest = new ArrayDeque<>();
  private Evidence image = new Evidence(0, List.of());

  /** Records an image. If the image is newer, the record restarts from it. */
  synchronized void begin(long revision, Collection<KeyState> keys) {
    var last = newest.peekLast();
    if (revision > Math.max(image.revision, last == null ? 0 : last.number)) {
      image = new Evidence(revision, List.copyOf(keys));
      newest.clear();
    }
  }

  /**
   * Records the changes of a revision; returns false when they contradict the known changes.
   * Compaction may have removed deletions from the last compacted revision.
   */
  synchronized boolean add(long revision, List<Responses.Event> events) {
    var known = find(revision);
    if (known != null) {
      return isSame(known, events);
    }
    var last = newest.peekLast();
    if (revision < image.revision || (last != null && revision < last.number)) {
      return true;
    }
    if (last != null && revision != last.number + 1) {
      newest.clear();
    }
    if (newest.size() == REVISIONS) {
      newest.removeFirst();
    }
    newest.addLast(new Revision(revision, events.stream().limit(KEYS).map(KeyState::of).toList()));
    return true;
  }

  private static boolean isSame(Revision known, List<Responses.Event> events) {
    if (known.keys.size() < KEYS && events.size() > known.keys.size()) {
      return false;
    }
    var told = events.stream().map(KeyState::of).toList();
    return known.keys.stream()
        .filter(key -> !key.isDeleted())
        .allMatch(key -> told.stream().anyMatch(key::isSame));
  }

  /**
   * Whether that revision is known to have written a value; compaction never removes such a write.
   */
  synchronized boolean hasWritten(long revision) {
    var known = find(revision);
    return known != null && known.keys.stream().anyMatch(key -> !key.isDeleted());
  }

  /** The state that etcd must have if it still has the newest revision of this history. */
  synchronized Evidence evidence() {
    var last = newest.peekLast();
    if (last == null) {
      return image;
    }
    var keys = new ArrayList<KeyState>();
    Set<String> names = new HashSet<>();
    var revisions = newest.descendingIterator();
    for (int i = 0; i < REVISIONS_OF_EVIDENCE && revisions.hasNext() && keys.size() < KEYS; i++) {
      for (var key : revisions.next().keys) {
        if (keys.size() < KEYS && names.add(Arrays.toString(key.key))) {
          keys.add(key);
        }
      }
    }
    return new Evidence(last.number, keys);
  }

  private @Nullable Revision find(long revision) {
    var last = newest.peekLast();
    if (last == null || revision > last.number || revision <= last.number - newest.size()) {
      return null;
    }
    // Revisions have no gaps.
    for (var revisions = newest.descendingIterator(); revisions.hasNext(); ) {
      var known = revisions.next();
      if (known.number == revision) {
        return known;
      }
    }
    return null;
  }
}
