package dev.muster.access.admission.policy;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.registry.types.ServedType;

/**
 * The version of a request's resource that a policy asked for.
 *
 * @param type of the resource, of which a request may be about a subresource
 * @param kind of the object that the request carries
 */
record MatchedVersion(ServedType type, GroupVersionResource resource, GroupVersionKind kind) {

  static MatchedVersion of(ServedType type, String subresource) {
    var part = subresource.isEmpty() ? null : type.subresource(subresource);
    return new MatchedVersion(
        type,
        type.groupVersion().resource(type.plural()),
        part == null ? type.kind() : part.kind());
  }

  /** Whether the object is one of the type itself, and not of a kind that a subresource has. */
  boolean isOwnKind() {
    return kind.equals(type.kind());
  }
}
