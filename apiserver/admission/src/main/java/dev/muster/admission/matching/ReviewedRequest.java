package dev.muster.admission.matching;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.TreeMap;

/** Creates the {@code request} of an AdmissionReview and of expressions. */
public final class ReviewedRequest {
  private ReviewedRequest() {}

  /** All fields of the request except its objects. */
  public static JsonObject of(AdmissionAttributes attributes, MatchedVersion version) {
    var request = attributes.request();
    var own = attributes.own();
    return JsonObject.builder()
        .put("kind", kind(version.kind()))
        .put("resource", resource(version.resource()))
        .putIf("subResource", request.subresource())
        .put("requestKind", kind(own.kind()))
        .put("requestResource", resource(own.resource()))
        .putIf("requestSubResource", request.subresource())
        .putIf("name", attributes.name())
        .putIf("namespace", attributes.namespace())
        .put("operation", request.operation().name())
        .put("userInfo", user(request.user()))
        .put("dryRun", request.dryRun())
        .put("options", attributes.options())
        .build();
  }

  private static JsonObject kind(GroupVersionKind kind) {
    return JsonObject.of("group", kind.group(), "version", kind.version(), "kind", kind.kind());
  }

  private static JsonObject resource(GroupVersionResource resource) {
    return JsonObject.of(
        "group", resource.group(), "version", resource.version(), "resource", resource.resource());
  }

  private static JsonObject user(User user) {
    var shown = JsonObject.builder().putIf("username", user.name()).putIf("uid", user.uid());
    if (!user.groups().isEmpty()) {
      shown.put("groups", JsonArray.ofStrings(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      var extra = JsonObject.builder();
      new TreeMap<>(user.extra())
          .forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
      shown.put("extra", extra.build());
    }
    return shown.build();
  }
}
