package dev.muster.registry.webhook;

import dev.muster.registry.commit.Deadline;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Retries webhook calls like kube-apiserver: at most five attempts; each pause is half as long
 * again as the previous one, plus up to a fifth at random, so that clients that failed together do
 * not retry together. Blocks the calling thread. Thread-safe.
 *
 * @param firstPause the pause before the second attempt
 * @param pause sleeps
 */
public record WebhookRetries(Duration firstPause, RandomGenerator random, Pause pause) {
  private static final int ATTEMPTS = 5;
  private static final double GROWTH = 1.5;
  private static final double JITTER = 0.2;

  /** The status codes after which a retry may succeed. */
  private static final Set<Integer> TEMPORARY = Set.of(429, 500, 504);

  /** Sleeps between two attempts. */
  @FunctionalInterface
  public interface Pause {
    void pause(Duration duration) throws InterruptedException;
  }

  /** Makes one attempt. */
  @FunctionalInterface
  public interface Question<T, X extends Exception> {
    Attempt<T> ask() throws X;
  }

  /**
   * The result of one attempt.
   *
   * @param again whether another attempt may succeed
   */
  public record Attempt<T>(T outcome, boolean again) {}

  private sealed interface Posted {
    record Answered(WebhookResponse response) implements Posted {}

    record Failed(WebhookException failure) implements Posted {}
  }

  /**
   * Makes attempts until one is final, and returns the last result. An interrupt between two
   * attempts ends the retries; the thread stays interrupted.
   *
   * @param deadline no attempt starts after it
   */
  public <T, X extends Exception> T ask(Question<T, X> question, Deadline deadline) throws X {
    double nanos = (double) firstPause.toNanos();
    for (int count = 1; ; count++) {
      var attempt = question.ask();
      long wait = (long) (nanos * (1 + JITTER * random.nextDouble()));
      if (!attempt.again() || count == ATTEMPTS || deadline.remainingNanos() <= wait) {
        return attempt.outcome();
      }
      try (var _ = CpuTask.waiting()) {
        pause.pause(Duration.ofNanos(wait));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return attempt.outcome();
      }
      nanos *= GROWTH;
    }
  }

  /**
   * Posts until a response is no temporary failure or retrying makes no sense.
   *
   * @param call makes the call of each attempt
   * @throws WebhookException the failure of the last attempt
   */
  public WebhookResponse post(
      WebhookTransport transport, Supplier<WebhookCall> call, Deadline deadline)
      throws WebhookException {
    return switch (ask(() -> once(transport, call.get()), deadline)) {
      case Posted.Answered(var response) -> response;
      case Posted.Failed(var failure) -> throw failure;
    };
  }

  private static Attempt<Posted> once(WebhookTransport transport, WebhookCall call) {
    try (var _ = CpuTask.waiting()) {
      var response = transport.post(call);
      return new Attempt<>(new Posted.Answered(response), isTemporary(response.status()));
    } catch (WebhookException e) {
      return new Attempt<>(new Posted.Failed(e), e.text().contains("connection reset"));
    }
  }

  /** Whether the status code means a temporary failure. */
  public static boolean isTemporary(int status) {
    return TEMPORARY.contains(status);
  }
}
