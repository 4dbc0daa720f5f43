package dev.muster.admission.matching;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.ServedType;

/**
 * The version of a request's resource that the rule of a policy or webhook matched.
 *
 * @param type of the resource; the request may be about a subresource
 * @param kind of the object in the request
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

  /** Whether the object has the kind of the type, and not of a subresource. */
  public boolean isOwnKind() {
    return kind.equals(type.kind());
  }

  /** The decoding form of the object's kind. */
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
   * An object of the request converted to this version; objects of subresource kinds have only one
   * version. Empty values are left out, because they equal absent ones in JSON.
   */
  public JsonObject shown(JsonObject object) {
    if (!isOwnKind() || !type.isStored()) {
      return object;
    }
    return type.fromStored(type.storedForm().withoutEmpties(object));
  }

  /**
   * Converts an object of this version back to the version of the request, with defaults.
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
