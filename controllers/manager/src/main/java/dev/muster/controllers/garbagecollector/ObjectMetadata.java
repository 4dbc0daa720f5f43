package dev.muster.controllers.garbagecollector;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object that garbage collection depends on.
 *
 * @param deleting whether its deletion has begun
 * @param orphans whether it has the finalizer {@code orphan}
 * @param foreground whether it has the finalizer {@code foregroundDeletion}
 */
record ObjectMetadata(
    ObjectReference reference,
    List<OwnerReference> owners,
    boolean deleting,
    boolean orphans,
    boolean foreground) {
  static final String ORPHAN = "orphan";
  static final String FOREGROUND = "foregroundDeletion";

  ObjectMetadata {
    owners = List.copyOf(owners);
  }

  boolean isOrphaning() {
    return deleting && orphans;
  }

  boolean isDeletingDependents() {
    return deleting && foreground;
  }

  /** Reads an object of that type; reuses the type's texts to save memory. */
  static ObjectMetadata read(String apiVersion, String kind, Map<String, Object> object) {
    var metadata = map(object.get("metadata"));
    var reference =
        new ObjectReference(
            apiVersion,
            kind,
            text(metadata, "namespace").intern(),
            text(metadata, "name"),
            text(metadata, "uid"));
    var finalizers = list(metadata.get("finalizers"));
    return new ObjectMetadata(
        reference,
        list(metadata.get("ownerReferences")).stream().map(ObjectMetadata::owner).toList(),
        !text(metadata, "deletionTimestamp").isEmpty(),
        finalizers.contains(ORPHAN),
        finalizers.contains(FOREGROUND));
  }

  private static OwnerReference owner(Object value) {
    var owner = map(value);
    return new OwnerReference(
        text(owner, "apiVersion").intern(),
        text(owner, "kind").intern(),
        text(owner, "name"),
        text(owner, "uid"),
        Boolean.TRUE.equals(owner.get("blockOwnerDeletion")));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  static String text(Map<String, Object> object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }
}
