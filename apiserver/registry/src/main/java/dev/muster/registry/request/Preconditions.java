package dev.muster.registry.request;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.types.ObjectMeta;
import dev.muster.types.TypeTrait;
import dev.muster.types.options.DeleteOptions;

/** Checks the preconditions of a delete request. */
public final class Preconditions {
  private Preconditions() {}

  public static void check(
      ResourceRequest resourceRequest, DeleteOptions options, JsonObject object) {
    var uid = ObjectMeta.uid(object);
    var wantedUid = options.uid();
    if (wantedUid != null && !wantedUid.equals(uid)) {
      throw refused(
          resourceRequest,
          "UID",
          wantedUid,
          uid,
          "The object might have been deleted and then recreated");
    }
    var version = ObjectMeta.resourceVersion(object);
    var wantedVersion = options.resourceVersion();
    if (wantedVersion != null && !wantedVersion.equals(version)) {
      throw refused(
          resourceRequest,
          "ResourceVersion",
          wantedVersion,
          version,
          "The object might have been modified");
    }
  }

  private static ApiException refused(
      ResourceRequest resourceRequest, String what, String wanted, String actual, String guess) {
    if (resourceRequest.type().is(TypeTrait.BRIEF_PRECONDITIONS)) {
      return ApiException.conflict(
          resourceRequest.type().groupResource(),
          resourceRequest.name(),
          "Precondition failed: %s in precondition: %s, %s in object meta: %s"
              .formatted(what, wanted, what, actual));
    }
    var kind = resourceRequest.type().stored().groupKind();
    return ApiException.conflict(
        new GroupResource(kind.group(), kind.kind()),
        resourceRequest.name(),
        "the %s in the precondition (%s) does not match the %s in record (%s). %s"
            .formatted(what, wanted, what, actual, guess));
  }
}
