package dev.muster.registry.webhook;

import dev.muster.model.GroupVersion;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * A ConversionReview for a webhook, and the checks of its response.
 *
 * @param version the version of the review: the first that both the webhook and this server support
 * @param objects objects that are not in the desired version yet; never empty
 */
record ConversionReview(
    String version, String uid, String desiredApiVersion, List<JsonObject> objects) {
  private static final String GROUP = "apiextensions.k8s.io";
  private static final String KIND = "ConversionReview";
  private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
  private static final ReviewReader READER = new ReviewReader(GROUP, KIND, VERSIONS);

  ConversionReview {
    objects = List.copyOf(objects);
  }

  /**
   * Chooses the review version.
   *
   * @throws WebhookException when there is no common version
   */
  static String version(List<String> taken) throws WebhookException {
    return taken.stream()
        .filter(VERSIONS::contains)
        .findFirst()
        .orElseThrow(() -> new WebhookException("no supported conversion review versions"));
  }

  /** The body to send. */
  JsonObject request() {
    return JsonObject.of(
        "kind",
        KIND,
        "apiVersion",
        GROUP + "/" + version,
        "request",
        JsonObject.of(
            "uid", uid,
            "desiredAPIVersion", desiredApiVersion,
            "objects", JsonArray.of(objects)),
        "response",
        JsonObject.of(
            "uid",
            "",
            "convertedObjects",
            JsonNull.NULL,
            "result",
            JsonObject.of("metadata", JsonObject.EMPTY)));
  }

  /**
   * The returned objects, neither counted nor checked.
   *
   * @throws WebhookException when the response does not match this review, or reports a failure
   */
  List<Json> converted(WebhookResponse answer) throws WebhookException {
    var review = READER.read(answer, version);
    if (version.equals("v1")) {
      checkKind(review);
    }
    if (!(review.get("response") instanceof JsonObject response)) {
      throw new WebhookException("no response provided");
    }
    if (version.equals("v1") && !response.string("uid").equals(uid)) {
      throw new WebhookException(
          "expected response.uid=%s, got %s"
              .formatted(GoText.quote(uid), GoText.quote(response.string("uid"))));
    }
    var result = response.object("result");
    if (!result.string("status").equals("Success")) {
      throw new WebhookException(
          result.string("message").isEmpty()
              ? "response.result.status was '%s', not 'Success'".formatted(result.string("status"))
              : result.string("message"));
    }
    return response.array("convertedObjects").asList();
  }

  /** Old review versions may omit apiVersion and kind; newer ones must have them. */
  private static void checkKind(JsonObject review) throws WebhookException {
    var apiVersion = review.string("apiVersion");
    var kind = review.string("kind");
    if (!apiVersion.equals(GROUP + "/v1") || !kind.equals(KIND)) {
      throw new WebhookException(
          "expected webhook response of %s/v1, Kind=%s, got %s"
              .formatted(GROUP, KIND, text(GroupVersion.parse(apiVersion), kind)));
    }
  }

  /** Version and kind as Go prints them, such as {@code example.com/v1, Kind=Widget}. */
  static String text(GroupVersion version, String kind) {
    return version.group() + "/" + version.version() + ", Kind=" + kind;
  }
}
