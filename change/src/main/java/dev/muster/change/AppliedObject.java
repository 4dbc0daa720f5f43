package dev.muster.change;

import dev.muster.model.ApiException;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import dev.muster.schema.StructShape;

/** What an applied configuration must be before anything is done with it. */
final class AppliedObject {
  private AppliedObject() {}

  /**
   * @throws ApiException BadRequest in upstream's words (which has 500 for a wrong shape)
   */
  static void check(GroupVersionKind kind, StructShape shape, JsonObject applied) {
    var given = kind(applied);
    if (!given.equals(kind)) {
      throw ApiException.badRequest("invalid object type: " + text(given));
    }
    var metadata = applied.object("metadata");
    if (metadata.get("managedFields") instanceof JsonArray) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    var complaint = TypedValidation.complaint(shape, applied);
    if (!complaint.isEmpty()) {
      throw ApiException.badRequest(
          "failed to create typed patch object ("
              + metadata.string("namespace")
              + "/"
              + metadata.string("name")
              + "; "
              + text(kind)
              + "): "
              + complaint);
    }
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
