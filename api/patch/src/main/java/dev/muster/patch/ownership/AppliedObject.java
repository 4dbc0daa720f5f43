package dev.muster.patch.ownership;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.ownership.typed.TypedValidation;
import dev.muster.schema.StructShape;

/** Validates an applied configuration before it is merged. */
final class AppliedObject {
  private AppliedObject() {}

  /**
   * @throws ApiException BadRequest with upstream's message (upstream uses code 500 for a wrong
   *     structure)
   */
  static void check(GroupVersionKind kind, StructShape shape, JsonObject applied) {
    var given = kind(applied);
    if (!given.equals(kind)) {
      throw ApiException.badRequest("invalid object type: " + text(given));
    }
    var metadata = applied.object("metadata");
    if (metadata.get("managedFields") instanceof JsonArray list && isReadable(list)) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    var complaint = TypedValidation.complaint(shape, applied);
    if (!complaint.isEmpty()) {
      throw ApiException.badRequest(
          "failed to create typed patch object (" + text(kind, applied) + "): " + complaint);
    }
  }

  /**
   * The error response when nothing can be applied to the live object, because items of its lists
   * have no unique keys.
   */
  static ApiException unreadable(GroupVersionKind kind, StructShape shape, JsonObject live) {
    return ApiException.badRequest(
        "failed to create manager for existing fields: failed to convert new object ("
            + text(kind, live)
            + ") to smd typed: "
            + TypedValidation.complaint(shape, live));
  }

  private static String text(GroupVersionKind kind, JsonObject object) {
    var metadata = object.object("metadata");
    return metadata.string("namespace") + "/" + metadata.string("name") + "; " + text(kind);
  }

  /** Whether the list contains only objects; any other list counts as absent. */
  private static boolean isReadable(JsonArray list) {
    for (var entry : list) {
      if (!(entry instanceof JsonObject)) {
        return false;
      }
    }
    return true;
  }

  private static GroupVersionKind kind(JsonObject object) {
    var apiVersion = object.string("apiVersion");
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      return new GroupVersionKind("", "", "");
    }
    return GroupVersion.parse(apiVersion).kind(object.string("kind"));
  }

  private static String text(GroupVersionKind kind) {
    return kind.group() + "/" + kind.version() + ", Kind=" + kind.kind();
  }
}
