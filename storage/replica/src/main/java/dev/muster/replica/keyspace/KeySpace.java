package dev.muster.replica.keyspace;

import dev.muster.model.ObjectName;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Maps store keys to the collections that own them. Immutable and thread-safe. New or removed types
 * create another key space for the snapshots from that revision on; see {@link
 * KeySpaceDefinitions}.
 */
public interface KeySpace {

  /** The location of the object under that key, or null when the key is not an API object's. */
  @Nullable KeyLocation locate(String key);

  /** All collections, including empty ones. */
  Iterable<CollectionSpec> collections();

  /** The collection at that storage location, or null. */
  @Nullable CollectionSpec collection(String storage);

  /**
   * The storage locations whose collection differs between the two key spaces, or exists in only
   * one. Each location occurs once. The result may contain further locations.
   */
  default Iterable<String> changedSince(KeySpace before) {
    var all = new LinkedHashSet<String>();
    before.collections().forEach(spec -> all.add(spec.storage()));
    collections().forEach(spec -> all.add(spec.storage()));
    return all;
  }

  /** An object's collection, and its name in that collection. */
  record KeyLocation(CollectionSpec collection, ObjectName name) {
    public String storage() {
      return collection.storage();
    }
  }
}
