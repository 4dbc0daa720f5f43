package dev.muster.admission.webhook;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.admission.AdmissionObserver.WebhookOutcome;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.types.scheduling.OutboundWait;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Calls admission webhooks. Thread-safe. Blocks the caller, which lets other requests use the CPU
 * meanwhile.
 *
 * @param users supplies the current credentials for webhooks
 * @param ids creates the UIDs of reviews
 */
record HookCaller(
    WebhookTransport transport,
    Supplier<WebhookUsers> users,
    Supplier<String> ids,
    AdmissionObserver observer) {
  /** Larger than any object with any patch of it. */
  private static final int MOST_BYTES = 16 << 20;

  private static final int UNAVAILABLE = 503;

  /**
   * Calls the webhook and returns its response.
   *
   * @param mutates whether it may change the object
   * @throws CallFailedException when its failure policy has to decide
   * @throws ApiException when it must not be called in a dry run
   */
  AdmissionResponse ask(Invocation invocation, AdmissionAttributes attributes, boolean mutates)
      throws CallFailedException {
    var hook = invocation.hook();
    if (attributes.request().dryRun()) {
      checkDryRun(hook);
    }
    var review = review(invocation, attributes);
    var client = client(hook);
    var body = JsonWriter.bytes(review.request());
    JsonObject answer;
    JsonObject response;
    try {
      answer = review.read(post(client, hook, attributes, body));
      response = AdmissionResponse.decoded(answer);
    } catch (WebhookException e) {
      throw new CallFailedException(
          hook.name(), UNAVAILABLE, "failed to call webhook: " + e.text());
    }
    try {
      return AdmissionResponse.verified(review, mutates, answer, response);
    } catch (WebhookException e) {
      throw new CallFailedException(
          hook.name(), UNAVAILABLE, "received invalid webhook response: " + e.text());
    }
  }

  private static void checkDryRun(Hook hook) throws CallFailedException {
    if (hook.sideEffects().isEmpty()) {
      throw new CallFailedException(hook.name(), 400, "Webhook SideEffects is nil");
    }
    if (!hook.allowsDryRun()) {
      throw ApiException.badRequest(
          "admission webhook " + GoText.quote(hook.name()) + " does not support dry run");
    }
  }

  private AdmissionReview review(Invocation invocation, AdmissionAttributes attributes)
      throws CallFailedException {
    var hook = invocation.hook();
    try {
      var version = AdmissionReview.version(hook.reviewVersions());
      return new AdmissionReview(version, ids.get(), invocation.version(), attributes);
    } catch (WebhookException e) {
      throw new CallFailedException(
          hook.name(), 400, "could not create admission objects: " + e.text());
    }
  }

  private WebhookClient client(Hook hook) throws CallFailedException {
    try {
      var client = hook.reached();
      return client.showing(users.get().of(client.address()));
    } catch (WebhookException e) {
      throw new CallFailedException(hook.name(), 500, "could not get REST client: " + e.text());
    }
  }

  private WebhookResponse post(
      WebhookClient client, Hook hook, AdmissionAttributes attributes, byte[] body)
      throws WebhookException {
    var request = attributes.request();
    var deadline = request.deadline().earlier(Deadline.after(hook.timeout()));
    try (var _ = OutboundWait.begin()) {
      return transport.post(
          new WebhookCall(
              client,
              request.cluster(),
              body,
              wholeSeconds(deadline),
              deadline,
              MOST_BYTES,
              Cancellation.NEVER));
    }
  }

  /** The timeout that the webhook is told: the remaining time, rounded up. */
  private static Duration wholeSeconds(Deadline deadline) {
    var left = Duration.ofNanos(deadline.remainingNanos());
    return Duration.ofSeconds(left.plusSeconds(1).minusNanos(1).toSeconds());
  }

  static WebhookOutcome outcome(Hook failed) {
    return failed.ignoresFailure() ? WebhookOutcome.IGNORED : WebhookOutcome.FAILED;
  }

  /**
   * Reports a call to the metrics.
   *
   * @param start when the call began, in {@link System#nanoTime}
   */
  void observe(
      Hook hook,
      Step step,
      AdmissionAttributes attributes,
      WebhookOutcome outcome,
      int code,
      long start) {
    observer.webhook(
        hook.name(),
        step,
        attributes.request().operation(),
        outcome,
        code,
        System.nanoTime() - start);
  }

  /**
   * Lets a request continue after a failed call if the failure policy is {@code Ignore}. If the
   * request's own deadline has passed, the error does not blame the webhook, which had less time
   * than configured.
   *
   * @throws ApiException InternalError, or Timeout
   */
  static void afterFailure(Hook hook, AdmissionAttributes attributes, CallFailedException failure) {
    if (attributes.request().deadline().isOver()) {
      throw timeout();
    }
    if (!hook.ignoresFailure()) {
      throw ApiException.internal(failure.text());
    }
  }

  static ApiException timeout() {
    return new ApiException(
        Reason.TIMEOUT, "Timeout: request did not complete within requested timeout");
  }
}
