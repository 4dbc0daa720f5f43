package dev.muster.authorization.modes;

import dev.muster.authorization.Decision;
import dev.muster.authorization.Decision.Outcome;
import dev.muster.authorization.modes.AuthorizationObserver.AskResult;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.ReviewReader;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookRetries.Attempt;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.types.ClusterView;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends a SubjectAccessReview to one webhook, with retries. Thread-safe. Blocks the caller.
 *
 * @param client the webhook's current address and credentials
 * @param version of the review: v1 or v1beta1
 * @param timeout of one attempt
 */
record WebhookQuestion(
    Supplier<WebhookClient> client,
    String version,
    Duration timeout,
    WebhookTransport transport,
    Supplier<? extends ClusterView> views,
    WebhookRetries retries,
    AuthorizationObserver observer) {
  static final AskResult LOST = AskResult.ERROR;
  static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /** The longest time for all attempts together. */
  private static final Duration ALTOGETHER = Duration.ofSeconds(60);

  private static final int MOST_BYTES = 3 << 20;
  private static final int GATEWAY_TIMEOUT = 504;

  private static final ReviewReader READER =
      new ReviewReader("authorization.k8s.io", "SubjectAccessReview", Set.of("v1", "v1beta1"));

  /** The result of the question. */
  sealed interface Answer {
    record Given(Decision decision) implements Answer {}

    record Missing(String problem, AskResult result) implements Answer {}
  }

  Answer ask(JsonObject spec) {
    var body = JsonWriter.bytes(SubjectAccessReviews.review(spec, version));
    var deadline = Deadline.after(ALTOGETHER);
    return retries.ask(() -> once(body, deadline), deadline);
  }

  private Attempt<Answer> once(byte[] body, Deadline deadline) {
    long start = System.nanoTime();
    var tried = send(body, deadline);
    observer.asked(
        client.get().name(),
        tried.outcome() instanceof Answer.Missing missing ? missing.result() : AskResult.SUCCESS,
        System.nanoTime() - start);
    return tried;
  }

  private Attempt<Answer> send(byte[] body, Deadline deadline) {
    WebhookResponse response;
    try (var _ = CpuTask.waiting()) {
      response =
          transport.post(
              new WebhookCall(
                  client.get(),
                  views.get(),
                  body,
                  timeout,
                  deadline,
                  MOST_BYTES,
                  Cancellation.NEVER));
    } catch (WebhookException e) {
      var text = e.text();
      boolean late = text.contains("deadline exceeded") || text.contains("Client.Timeout");
      boolean lost = text.contains("connection reset") || text.contains("connection lost");
      return new Attempt<>(
          new Answer.Missing(text, late ? AskResult.TIMEOUT : AskResult.ERROR), lost && !late);
    }
    int status = response.status();
    try {
      return new Attempt<>(new Answer.Given(decision(READER.read(response, version))), false);
    } catch (WebhookException e) {
      return new Attempt<>(
          new Answer.Missing(
              e.text(), status == GATEWAY_TIMEOUT ? AskResult.TIMEOUT : AskResult.ERROR),
          WebhookRetries.isTemporary(status));
    }
  }

  private static Decision decision(JsonObject review) {
    var status = review.object("status");
    var reason = status.string("reason");
    boolean allowed = status.isTrue("allowed");
    if (status.isTrue("denied")) {
      return new Decision(
          Outcome.DENY,
          reason,
          allowed ? "webhook subject access review returned both allow and deny response" : "");
    }
    return allowed ? Decision.allow(reason) : Decision.noOpinion(reason, "");
  }
}
