package dev.muster.registry.webhook;

import dev.muster.registry.commit.Deadline;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Safe for any thread; blocks the one that calls. Asks a webhook again when that is worth a try, as
 * kube-apiserver does: five times in all, each pause half as long again as the one before, and up
 * to a fifth longer than that, so that those who failed together do not come back together.
 *
 * @param firstPause before the second attempt
 * @param pause lets time pass
 */
public record WebhookRetries(Duration firstPause, RandomGenerator random, Pause pause) {
  private static final int ATTEMPTS = 5;
  private static final double GROWTH = 1.5;
  private static final double JITTER = 0.2;

  /** The other side may think better of these. */
  private static final Set<Integer> TEMPORARY = Set.of(429, 500, 504);

  /** Lets time pass between two attempts. */
  @FunctionalInterface
  public interface Pause {
    void pause(Duration duration) throws InterruptedException;
  }

  /** Asks once. */
  @FunctionalInterface
  public interface Question<T, X extends Exception> {
    Attempt<T> ask() throws X;
  }

  /**
   * What came of asking once.
   *
   * @param again whether another attempt may do better
   */
  public record Attempt<T>(T outcome, boolean again) {}

  private sealed interface Posted {
    record Answered(WebhookResponse response) implements Posted {}

    record Failed(WebhookException failure) implements Posted {}
  }

  /**
   * Asks until it is not worth another try, and answers with what came of the last one. Who is
   * interrupted between two attempts stays so and gets what there is.
   *
   * @param deadline nobody waits for an attempt that would begin after it
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
   * Posts until there is a response that is no temporary failure, or no more sense in asking.
   *
   * @param call made anew for each attempt
   * @throws WebhookException that of the last attempt
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

  /** Whether a status may be another one soon. */
  public static boolean isTemporary(int status) {
    return TEMPORARY.contains(status);
  }
}
