package dev.muster.types;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at one revision, as admission and access control look at it. Immutable and safe for
 * any thread. Collections are named by the first part of their keys in the store, such as {@code
 * /pods}, {@code /services/specs} or {@code /minions}; objects are in their stored version.
 */
public interface ClusterView {
  /** The object, or null; the namespace is "" for cluster-scoped objects. */
  @Nullable JsonObject get(String collection, String namespace, String name);

  /** The objects of one namespace, or of all namespaces when it is "", in the order of names. */
  List<JsonObject> list(String collection, String namespace);

  /** Whether {@link #list} would find nothing. */
  default boolean isEmpty(String collection, String namespace) {
    return list(collection, namespace).isEmpty();
  }

  /** The revision that wrote the object, or 0 when there is none. Cheap: nothing is parsed. */
  long revision(String collection, String namespace, String name);

  /** The last revision at which anything in the collection changed; 0 when nothing ever did. */
  long changed(String collection);

  /** The object as the replica keeps it, or null. Only a view of a replica can tell. */
  default @Nullable StoredObject stored(String collection, String namespace, String name) {
    throw new UnsupportedOperationException("no view of a replica");
  }

  /**
   * The objects whose indexed field has that value, in one namespace or, when it is "", in all.
   * Only a view of a replica can tell.
   */
  default Range indexed(String collection, String field, String value, String namespace) {
    throw new UnsupportedOperationException("no view of a replica");
  }

  /** The types of that revision. */
  Types types();

  default boolean has(String collection, String namespace, String name) {
    return revision(collection, namespace, name) != 0;
  }
}
