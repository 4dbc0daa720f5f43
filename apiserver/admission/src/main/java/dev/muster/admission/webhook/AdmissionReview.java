package dev.muster.admission.webhook;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.MatchedVersion;
import dev.muster.admission.matching.ReviewedRequest;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.webhook.ReviewReader;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A review to be sent to an admission webhook.
 *
 * @param version of the review: the first of the webhook's versions that this server supports
 * @param matched the version of the resource that the webhook matched
 */
record AdmissionReview(
    String version, String uid, MatchedVersion matched, AdmissionAttributes attributes) {
  static final String GROUP = "admission.k8s.io";
  static final String KIND = "AdmissionReview";
  private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
  private static final ReviewReader READER = new ReviewReader(GROUP, KIND, VERSIONS);

  /**
   * The review version for a webhook.
   *
   * @throws WebhookException when no version is common
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

  /** The {@code request} field. */
  JsonObject request() {
    var request = JsonObject.builder().put("uid", uid);
    var described = ReviewedRequest.of(attributes, matched);
    for (int i = 0; i < described.size(); i++) {
      if (described.key(i).equals("dryRun")) {
        request.put("object", shown(attributes.request().object()));
        request.put("oldObject", shown(attributes.request().oldObject()));
      }
      request.put(described.key(i), described.value(i));
    }
    return JsonObject.of(
        "kind", KIND, "apiVersion", GROUP + "/" + version, "request", request.build());
  }

  private Json shown(@Nullable JsonObject object) {
    return object == null ? JsonNull.NULL : matched.shown(object);
  }

  /**
   * The review in the webhook's HTTP response.
   *
   * @throws WebhookException when there is none
   */
  JsonObject read(WebhookResponse response) throws WebhookException {
    return READER.read(response, version);
  }
}
