package dev.muster.types;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at one revision, for admission and authorization. A collection is named by its
 * storage prefix, such as {@code /pods}, {@code /services/specs} or {@code /minions}; objects are
 * in their stored version. Immutable and thread-safe.
 */
public interface ClusterView {
  /** The object, or null; the namespace is "" for cluster-scoped objects. */
  @Nullable JsonObject get(String collection, String namespace, String name);

  /** The objects of one namespace, or of all namespaces when it is "", sorted by name. */
  List<JsonObject> list(String collection, String namespace);

  /** Whether {@link #list} would return no objects. */
  default boolean isEmpty(String collection, String namespace) {
    return list(collection, namespace).isEmpty();
  }

  /** The revision that wrote the object, or 0 when there is none. Cheap: parses no object. */
  long revision(String collection, String namespace, String name);

  /** The last revision that changed the collection; 0 when none did. */
  long changed(String collection);

  /** The object as the replica holds it, or null. Only views of a replica return objects here. */
  default @Nullable StoredObject stored(String collection, String namespace, String name) {
    throw new UnsupportedOperationException("no view of a replica");
  }

  /**
   * The objects with that value of an indexed field, in one namespace, or in all when it is "".
   * Only views of a replica return objects here.
   */
  default Range indexed(String collection, String field, String value, String namespace) {
    throw new UnsupportedOperationException("no view of a replica");
  }

  /** The types at that revision. */
  Types types();

  default boolean has(String collection, String namespace, String name) {
    return revision(collection, namespace, name) != 0;
  }
}
