package dev.muster.registry.request;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.options.DeleteOptions;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.TypeTrait;

/** What a delete insists on. */
public final class Preconditions {
  private Preconditions() {}

  public static void check(Call call, DeleteOptions options, JsonObject object) {
    var uid = ObjectMeta.uid(object);
    var wantedUid = options.uid();
    if (wantedUid != null && !wantedUid.equals(uid)) {
      throw refused(
          call, "UID", wantedUid, uid, "The object might have been deleted and then recreated");
    }
    var version = ObjectMeta.resourceVersion(object);
    var wantedVersion = options.resourceVersion();
    if (wantedVersion != null && !wantedVersion.equals(version)) {
      throw refused(
          call, "ResourceVersion", wantedVersion, version, "The object might have been modified");
    }
  }

  private static ApiException refused(
      Call call, String what, String wanted, String actual, String guess) {
    if (call.type().is(TypeTrait.BRIEF_PRECONDITIONS)) {
      return ApiException.conflict(
          call.type().groupResource(),
          call.name(),
          "Precondition failed: %s in precondition: %s, %s in object meta: %s"
              .formatted(what, wanted, what, actual));
    }
    var kind = call.type().stored().groupKind();
    return ApiException.conflict(
        new GroupResource(kind.group(), kind.kind()),
        call.name(),
        "the %s in the precondition (%s) does not match the %s in record (%s). %s"
            .formatted(what, wanted, what, actual, guess));
  }
}
