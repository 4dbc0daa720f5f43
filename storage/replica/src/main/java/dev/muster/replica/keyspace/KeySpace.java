package dev.muster.replica.keyspace;

import dev.muster.model.ObjectName;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells which store keys are API objects, of which collection, and how they are read. Immutable and
 * safe for any thread: types that come or go make another one, which belongs to the snapshots from
 * that revision on; see {@link KeySpaceDefinitions}.
 */
public interface KeySpace {

  /** Where the object under that key lives, or null when the key is not an API object's. */
  @Nullable KeyLocation locate(String key);

  /** All collections, whether they have objects or not. */
  Iterable<CollectionSpec> collections();

  /** The collection at that storage location, or null when there is none. */
  @Nullable CollectionSpec collection(String storage);

  /**
   * Storage locations, each once, with all whose collection is another one here than before, or is
   * only in one of both.
   */
  default Iterable<String> changedSince(KeySpace before) {
    var all = new LinkedHashSet<String>();
    before.collections().forEach(spec -> all.add(spec.storage()));
    collections().forEach(spec -> all.add(spec.storage()));
    return all;
  }

  /** An object's collection and name in it. */
  record KeyLocation(CollectionSpec collection, ObjectName name) {
    public String storage() {
      return collection.storage();
    }
  }
}
