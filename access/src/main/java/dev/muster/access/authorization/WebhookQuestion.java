package dev.muster.access.authorization;

import dev.muster.access.Decision;
import dev.muster.access.Decision.Outcome;
import dev.muster.access.authorization.AuthorizationObserver.AskResult;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.scheduling.Turn;
import dev.muster.registry.types.ClusterView;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.ReviewReader;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sends reviews to one webhook, again when it is worth a try. Safe for any thread; blocks the one
 * that calls.
 *
 * @param client where the webhook is at the moment
 * @param version of the review: v1 or v1beta1
 * @param timeout of one try
 */
record WebhookQuestion(
    Supplier<WebhookClient> client,
    String version,
    Duration timeout,
    WebhookTransport transport,
    Supplier<? extends ClusterView> views,
    RandomGenerator random,
    Pause pause,
    AuthorizationObserver observer) {
  static final AskResult LOST = AskResult.ERROR;
  private static final int TRIES = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final double LONGER = 1.5;
  private static final double JITTER = 0.2;

  /** After that nobody waits for the answer any more. */
  private static final Duration ALTOGETHER = Duration.ofSeconds(60);

  private static final int MOST_BYTES = 3 << 20;
  private static final int INTERNAL_ERROR = 500;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int TOO_MANY_REQUESTS = 429;

  private static final ReviewReader READER =
      new ReviewReader("authorization.k8s.io", "SubjectAccessReview", Set.of("v1", "v1beta1"));

  /** Lets time pass between two tries. */
  @FunctionalInterface
  interface Pause {
    void pause(Duration duration) throws InterruptedException;
  }

  /** What came of it. */
  sealed interface Answer {
    record Given(Decision decision) implements Answer {}

    record Missing(String problem, AskResult result) implements Answer {}
  }

  /** A try, and whether another may do better. */
  private record Try(Answer answer, boolean again) {}

  Answer ask(JsonObject spec) {
    var body = JsonWriter.bytes(SubjectAccessReviews.review(spec, version));
    var deadline = Deadline.after(ALTOGETHER);
    var next = FIRST_PAUSE;
    for (int i = 1; ; i++) {
      var tried = once(body, deadline);
      var longer = next.plusMillis((long) (next.toMillis() * JITTER * random.nextDouble()));
      if (!tried.again() || i == TRIES || deadline.remainingNanos() <= longer.toNanos()) {
        return tried.answer();
      }
      try (var _ = Turn.waiting()) {
        pause.pause(longer);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return tried.answer();
      }
      next = Duration.ofMillis((long) (next.toMillis() * LONGER));
    }
  }

  private Try once(byte[] body, Deadline deadline) {
    long start = System.nanoTime();
    var tried = send(body, deadline);
    observer.asked(
        client.get().name(),
        tried.answer() instanceof Answer.Missing missing ? missing.result() : AskResult.SUCCESS,
        System.nanoTime() - start);
    return tried;
  }

  private Try send(byte[] body, Deadline deadline) {
    WebhookResponse response;
    try (var _ = Turn.waiting()) {
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
      return new Try(
          new Answer.Missing(text, late ? AskResult.TIMEOUT : AskResult.ERROR), lost && !late);
    }
    int status = response.status();
    try {
      return new Try(new Answer.Given(decision(READER.read(response, version))), false);
    } catch (WebhookException e) {
      return new Try(
          new Answer.Missing(
              e.text(), status == GATEWAY_TIMEOUT ? AskResult.TIMEOUT : AskResult.ERROR),
          status == INTERNAL_ERROR || status == GATEWAY_TIMEOUT || status == TOO_MANY_REQUESTS);
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
