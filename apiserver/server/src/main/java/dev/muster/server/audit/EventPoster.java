package dev.muster.server.audit;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookRetries.Attempt;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.types.ClusterView;
import dev.muster.types.EmptyCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Posts audit events to a webhook, and retries after any failure: a lost event cannot be requested
 * again later. Thread-safe. Blocks the calling virtual thread.
 */
final class EventPoster {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The longest response; only its status matters. */
  private static final int MOST_BYTES = 1 << 20;

  /** No deadline shortens the retries: an event that is not posted is lost. */
  private static final Duration NEVER_LATE = Duration.ofDays(10_000);

  /** The receiver of events is not a Service of the cluster, which may not be loaded yet. */
  private static final ClusterView NOWHERE = new EmptyCluster();

  private final Supplier<WebhookClient> receiver;
  private final WebhookTransport transport;
  private final WebhookRetries retries;
  private volatile boolean closing;

  /**
   * @param receiver the client of the current kubeconfig file
   * @param backoff before the first retry
   */
  EventPoster(
      Supplier<WebhookClient> receiver,
      WebhookTransport transport,
      Duration backoff,
      RandomGenerator random) {
    this.receiver = receiver;
    this.transport = transport;
    this.retries = new WebhookRetries(backoff, random, Thread::sleep);
  }

  /**
   * @param body an EventList
   * @throws IOException with the failure of the last attempt
   */
  void post(byte[] body) throws IOException, InterruptedException {
    var failure = retries.ask(() -> attempt(body), Deadline.after(NEVER_LATE));
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private Attempt<Optional<IOException>> attempt(byte[] body) {
    try {
      int status = transport.post(call(body)).status();
      if (status / 100 == 2) {
        return new Attempt<>(Optional.empty(), false);
      }
      return failed(new IOException("the webhook answered " + status));
    } catch (WebhookException e) {
      return failed(new IOException(e.text(), e));
    }
  }

  private Attempt<Optional<IOException>> failed(IOException failure) {
    return new Attempt<>(Optional.of(failure), !closing);
  }

  private WebhookCall call(byte[] body) {
    return new WebhookCall(
        receiver.get(),
        NOWHERE,
        body,
        TIMEOUT,
        Deadline.after(TIMEOUT),
        MOST_BYTES,
        Cancellation.NEVER);
  }

  /** Ends retries from now on. */
  void stopRetrying() {
    closing = true;
  }
}
