package dev.muster.access.admission.webhook;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.webhook.ReviewReader;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A question to an admission webhook.
 *
 * @param version of the review: the first of those that the webhook takes and we know
 */
record AdmissionReview(String version, String uid, Invocation invocation, Subject subject) {
  static final String GROUP = "admission.k8s.io";
  static final String KIND = "AdmissionReview";
  private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
  private static final ReviewReader READER = new ReviewReader(GROUP, KIND, VERSIONS);

  /**
   * The version to speak with a webhook.
   *
   * @throws WebhookException when there is none
   */
  static String version(List<String> taken) throws WebhookException {
    return taken.stream()
        .filter(VERSIONS::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new WebhookException(
                    "webhook does not accept known AdmissionReview versions (v1, v1beta1)"));
  }

  /** What is sent. */
  JsonObject request() {
    var request = JsonObject.builder().put("uid", uid);
    var described = described(invocation, subject);
    for (int i = 0; i < described.size(); i++) {
      if (described.key(i).equals("dryRun")) {
        request.put("object", shown(subject.request().object()));
        request.put("oldObject", shown(subject.request().oldObject()));
      }
      request.put(described.key(i), described.value(i));
    }
    return JsonObject.of(
        "kind", KIND, "apiVersion", GROUP + "/" + version, "request", request.build());
  }

  private Json shown(@Nullable JsonObject object) {
    return object == null ? JsonNull.NULL : invocation.converted(object);
  }

  /** All of a request but its objects. */
  static JsonObject described(Invocation invocation, Subject subject) {
    var request = subject.request();
    return JsonObject.builder()
        .put("kind", kind(invocation.kind()))
        .put("resource", resource(Subject.resource(invocation.type())))
        .putIf("subResource", request.subresource())
        .put("requestKind", kind(subject.kind()))
        .put("requestResource", resource(subject.resource()))
        .putIf("requestSubResource", request.subresource())
        .putIf("name", subject.name())
        .putIf("namespace", subject.namespace())
        .put("operation", request.operation().name())
        .put("userInfo", user(request.user()))
        .put("dryRun", request.dryRun())
        .put("options", subject.options())
        .build();
  }

  private static JsonObject kind(GroupVersionKind kind) {
    return JsonObject.of("group", kind.group(), "version", kind.version(), "kind", kind.kind());
  }

  private static JsonObject resource(GroupVersionResource resource) {
    return JsonObject.of(
        "group",
        resource.group(),
        "version",
        resource.version(),
        "resource",
        resource.resource());
  }

  private static JsonObject user(User user) {
    var shown =
        JsonObject.builder().putIf("username", user.name()).putIf("uid", user.uid());
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

  /**
   * The review in what came back.
   *
   * @throws WebhookException when there is none
   */
  JsonObject read(WebhookResponse response) throws WebhookException {
    return READER.read(response, version);
  }
}
