package dev.muster.access.admission.matching;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.types.ServedType;

/**
 * The version of a request's resource that a policy or webhook asked for.
 *
 * @param type of the resource, of which a request may be about a subresource
 * @param kind of the object that the request carries
 */
public record MatchedVersion(
    ServedType type, GroupVersionResource resource, GroupVersionKind kind) {

  static MatchedVersion of(ServedType type, String subresource) {
    var part = subresource.isEmpty() ? null : type.subresource(subresource);
    return new MatchedVersion(
        type,
        type.groupVersion().resource(type.plural()),
        part == null ? type.kind() : part.kind());
  }

  /** Whether the object is one of the type itself, and not of a kind that a subresource has. */
  public boolean isOwnKind() {
    return kind.equals(type.kind());
  }

  /** An object of the request in this version; what a subresource has of its own has only one. */
  public JsonObject shown(JsonObject object) {
    return isOwnKind() && type.isStored() ? type.fromStored(object) : object;
  }

  /**
   * An object of this version as the request's handler wants it: in the version that it works in,
   * with defaults.
   *
   * @param requested the version of the request
   */
  public JsonObject kept(JsonObject changed, ServedType requested) {
    if (!isOwnKind() || !type.isStored()) {
      return changed;
    }
    var back = type.toStored(changed);
    return requested.strategy().defaults(requested.isCustom() ? requested.fromStored(back) : back);
  }
}
