package dev.muster.admission.images;

import dev.muster.authentication.webhook.KubeconfigClient;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.ReviewReader;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin ImagePolicyWebhook: a webhook decides which images pods may run. Answers are cached.
 * Thread-safe. Blocks the caller during webhook requests.
 */
public final class ImagePolicyWebhook implements Admission {
  private static final Logger log = LoggerFactory.getLogger(ImagePolicyWebhook.class);
  private static final String VERSION = "v1alpha1";
  private static final ReviewReader READER =
      new ReviewReader("imagepolicy.k8s.io", "ImageReview", Set.of(VERSION));
  private static final String AUDIT_PREFIX = "imagepolicywebhook.image-policy.k8s.io/";

  /** The review contains the pod's annotations whose keys contain this text. */
  private static final String SHOWN = ".image-policy.k8s.io/";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 1 << 20;

  private final ImagePolicyConfiguration configuration;
  private final KubeconfigClient client;
  private final WebhookTransport transport;
  private final WebhookRetries retries;
  private final ReviewedImages reviewed;

  /**
   * @throws IllegalArgumentException when the kubeconfig cannot be used
   */
  public ImagePolicyWebhook(
      ImagePolicyConfiguration configuration,
      WebhookTransport transport,
      InstantSource clock,
      RandomGenerator random) {
    this.configuration = configuration;
    this.client = KubeconfigClient.of(configuration.kubeconfig(), "image policy", clock);
    this.transport = transport;
    this.retries = new WebhookRetries(configuration.retryBackoff(), random, Thread::sleep);
    this.reviewed = new ReviewedImages(clock);
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    boolean ephemeral = request.subresource().equals("ephemeralcontainers");
    if (request.isFor("", "pods")
        && request.createsOrUpdates()
        && (ephemeral || request.subresource().isEmpty())) {
      review(request, spec(request, ephemeral));
    }
    return List.of();
  }

  private static JsonObject spec(AdmissionRequest request, boolean ephemeral) {
    var pod = request.mustObject().object("spec");
    var images = new ArrayList<JsonObject>();
    for (var field :
        ephemeral ? List.of("ephemeralContainers") : List.of("containers", "initContainers")) {
      for (var container : pod.array(field).objects()) {
        var image = container.string("image");
        images.add(image.isEmpty() ? JsonObject.EMPTY : JsonObject.of("image", image));
      }
    }
    var spec = JsonObject.builder();
    if (!images.isEmpty()) {
      spec.put("containers", JsonArray.of(images));
    }
    var annotations = shown(request.mustObject().object("metadata").object("annotations"));
    if (!annotations.isEmpty()) {
      spec.put("annotations", annotations);
    }
    if (!request.namespace().isEmpty()) {
      spec.put("namespace", request.namespace());
    }
    return spec.build();
  }

  private static JsonObject shown(JsonObject annotations) {
    var shown = JsonObject.builder();
    annotations.keys().stream()
        .filter(key -> key.contains(SHOWN))
        .sorted()
        .forEach(key -> shown.put(key, annotations.string(key)));
    return shown.build();
  }

  private void review(AdmissionRequest request, JsonObject spec) {
    var question = spec.toString();
    var status = reviewed.find(question);
    if (status == null) {
      try {
        status = ask(request, spec).object("status");
      } catch (WebhookException e) {
        log.info("the webhook for images cannot be asked: {}", e.text());
        if (request.deadline().isOver()) {
          throw Deadline.exceeded();
        }
        if (!configuration.defaultAllow()) {
          throw AdmissionDenial.of(request, e.text());
        }
        request.annotations().add(AUDIT_PREFIX + "failed-open", "true");
        return;
      }
      reviewed.put(
          question,
          status,
          status.isTrue("allowed") ? configuration.allowTtl() : configuration.denyTtl());
    }
    decide(request, status);
  }

  private static void decide(AdmissionRequest request, JsonObject status) {
    var annotations = status.object("auditAnnotations");
    for (var key : annotations.keys()) {
      if (annotations.get(key) instanceof JsonString value) {
        request.annotations().add(AUDIT_PREFIX + key, value.value());
      }
    }
    if (!status.isTrue("allowed")) {
      var reason = status.string("reason");
      throw AdmissionDenial.of(
          request,
          reason.isEmpty()
              ? "one or more images rejected by webhook backend"
              : "image policy webhook backend denied one or more images: " + reason);
    }
  }

  /** Sends the review until an answer arrives or another attempt makes no sense. */
  private JsonObject ask(AdmissionRequest request, JsonObject spec) throws WebhookException {
    var body =
        JsonWriter.bytes(
            JsonObject.of(
                "kind",
                "ImageReview",
                "apiVersion",
                "imagepolicy.k8s.io/" + VERSION,
                "metadata",
                JsonObject.EMPTY,
                "spec",
                spec,
                "status",
                JsonObject.of("allowed", false)));
    return READER.read(
        retries.post(transport, () -> call(request, body), request.deadline()), VERSION);
  }

  private WebhookCall call(AdmissionRequest request, byte[] body) {
    return new WebhookCall(
        client.now(),
        request.cluster(),
        body,
        TIMEOUT,
        request.deadline(),
        MOST_BYTES,
        Cancellation.NEVER);
  }
}
