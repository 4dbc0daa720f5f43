package dev.muster.admission.matching;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.ServedType;

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

  /** How objects of the kind are read. */
  public ObjectForm form() {
    if (isOwnKind()) {
      return type.form();
    }
    var shape = Schemas.of(kind);
    if (shape == null) {
      throw ApiException.internal("no kind " + kind);
    }
    return ObjectForm.of(shape);
  }

  /**
   * An object of the request in this version; what a subresource has of its own has only one. What
   * was sent empty is not there: it is no different from what was left out once it is JSON again.
   */
  public JsonObject shown(JsonObject object) {
    if (!isOwnKind() || !type.isStored()) {
      return object;
    }
    return type.fromStored(type.storedForm().withoutEmpties(object));
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
