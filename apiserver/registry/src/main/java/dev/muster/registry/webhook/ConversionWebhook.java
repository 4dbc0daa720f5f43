package dev.muster.registry.webhook;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.ClusterView;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Converts objects by the conversion webhook of a definition. One call converts all objects of a
 * list; objects already in the desired version are not sent. Like kube-apiserver, it sends objects
 * from the store without a resourceVersion. Its converters block the calling thread. Thread-safe.
 *
 * @param reviewVersions the supported review versions, in the webhook's order of preference
 * @param ids makes the UIDs of reviews
 */
public record ConversionWebhook(
    WebhookTransport transport,
    WebhookClient client,
    List<String> reviewVersions,
    Supplier<String> ids) {
  /** The timeout of kube-apiserver. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Limits the size of the response, as a multiple of the request. */
  private static final int GROWTH = 4;

  private static final int LEAST_ALLOWED = 16 << 20;

  public ConversionWebhook {
    reviewVersions = List.copyOf(reviewVersions);
  }

  /**
   * Reads the webhook in the {@code spec.conversion} of a definition.
   *
   * @throws WebhookException when it is invalid
   */
  public static ConversionWebhook of(
      String definition, JsonObject conversion, WebhookTransport transport, Supplier<String> ids)
      throws WebhookException {
    var webhook = conversion.object("webhook");
    return new ConversionWebhook(
        transport,
        WebhookClient.of("conversion_webhook_for_" + definition, webhook.object("clientConfig")),
        webhook.array("conversionReviewVersions").strings(),
        ids);
  }

  /**
   * A converter for one request.
   *
   * @param cluster in which the webhook's Service is looked up
   */
  public ObjectConverter during(ClusterView cluster, Deadline deadline, Cancellation gone) {
    return (objects, desired) -> convert(objects, desired, cluster, deadline, gone);
  }

  private List<JsonObject> convert(
      List<JsonObject> objects,
      String desired,
      ClusterView cluster,
      Deadline deadline,
      Cancellation gone) {
    var sent = objects.stream().filter(object -> isAsked(object, desired)).toList();
    if (sent.isEmpty()) {
      return ObjectConverter.BY_NAME.convert(objects, desired);
    }
    var subject = "conversion webhook for " + subject(sent.getFirst());
    var answers = ask(subject, sent, desired, cluster, deadline, gone);
    var result = new ArrayList<JsonObject>(objects.size());
    int next = 0;
    for (var object : objects) {
      if (isAsked(object, desired)) {
        result.add(accepted(subject, object, answers, next++, desired));
      } else {
        result.add(object.with("apiVersion", desired));
      }
    }
    return result;
  }

  /** An object with only apiVersion and kind is empty in every version, so it is not sent. */
  private static boolean isAsked(JsonObject object, String desired) {
    return !object.string("apiVersion").equals(desired)
        && !(object.size() == 2 && object.has("apiVersion") && object.has("kind"));
  }

  private static String subject(JsonObject object) {
    return ConversionReview.text(
        GroupVersion.parse(object.string("apiVersion")), object.string("kind"));
  }

  private List<Json> ask(
      String subject,
      List<JsonObject> sent,
      String desired,
      ClusterView cluster,
      Deadline deadline,
      Cancellation gone) {
    ConversionReview review;
    try {
      review =
          new ConversionReview(ConversionReview.version(reviewVersions), ids.get(), desired, sent);
    } catch (WebhookException e) {
      throw failed(e.text());
    }
    List<Json> answers;
    try {
      var body = JsonWriter.bytes(review.request());
      answers =
          review.converted(
              transport.post(
                  new WebhookCall(
                      client, cluster, body, PATIENCE, deadline, allowed(body.length), gone)));
    } catch (WebhookException e) {
      throw deadline.isOver() ? Deadline.exceeded() : failed(subject + " failed: " + e.text());
    }
    if (answers.size() != sent.size()) {
      throw failed(
          "%s returned %d objects, expected %d".formatted(subject, answers.size(), sent.size()));
    }
    return answers;
  }

  private static int allowed(int sent) {
    return (int) Math.min(Integer.MAX_VALUE / 2, Math.max(LEAST_ALLOWED, (long) sent * GROWTH));
  }

  /** Like kube-apiserver, uses different messages for one object and for several. */
  private static JsonObject accepted(
      String subject, JsonObject original, List<Json> answers, int index, String desired) {
    boolean alone = answers.size() == 1;
    var object = alone ? " returned invalid object" : " returned invalid converted object";
    var at = " at index " + index;
    ConvertedObject converted;
    try {
      converted = ConvertedObject.of(original, answers.get(index));
    } catch (WebhookException e) {
      throw failed(alone ? e.text() : subject + object + at + ": " + e.text());
    }
    try {
      converted.checkType(desired);
    } catch (WebhookException e) {
      throw failed(subject + object + at + ": " + e.text());
    }
    try {
      converted.checkIdentity();
    } catch (WebhookException e) {
      throw failed(subject + object + (alone ? "" : at) + ": " + e.text());
    }
    try {
      return converted.restored();
    } catch (WebhookException e) {
      throw failed(
          subject
              + (alone ? " returned invalid metadata" : " returned invalid metadata in object" + at)
              + ": "
              + e.text());
    }
  }

  private static ApiException failed(String message) {
    return new ApiException(Reason.UNKNOWN, message);
  }
}
