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
 * Safe for any thread; blocks the virtual thread that calls. Posts events to another server, and
 * tries again when that fails for whatever reason: nobody can ask for an event later.
 */
final class EventPoster {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Of an answer, of which only the status counts. */
  private static final int MOST_BYTES = 1 << 20;

  /** Whatever the first pause is: what is not posted is lost. */
  private static final Duration NEVER_LATE = Duration.ofDays(10_000);

  /** Who receives events is no service of the cluster, which may not be there yet. */
  private static final ClusterView NOWHERE = new EmptyCluster();

  private final Supplier<WebhookClient> receiver;
  private final WebhookTransport transport;
  private final WebhookRetries retries;
  private volatile boolean closing;

  /**
   * @param receiver what the files say now
   * @param backoff before the first repetition
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
   * @throws IOException saying why the last attempt failed
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

  /** From now on nothing is tried again. */
  void stopRetrying() {
    closing = true;
  }
}
