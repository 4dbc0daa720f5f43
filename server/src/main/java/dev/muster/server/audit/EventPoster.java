package dev.muster.server.audit;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookRetries.Attempt;
import dev.muster.server.http.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe for any thread; blocks the virtual thread that calls. Posts events to another server, and
 * tries again when that fails for whatever reason: nobody can ask for an event later. A kubeconfig
 * that says something else, or whose certificates do, counts from the next post on.
 */
final class EventPoster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventPoster.class);

  /** Whatever the first pause is: what is not posted is lost. */
  private static final Duration NEVER_LATE = Duration.ofDays(10_000);

  private record Receiver(AuditKubeconfig config, PostedEvents posts) {}

  private final Supplier<AuditKubeconfig> configs;
  private final Function<AuditKubeconfig, PostedEvents> transports;
  private final WebhookRetries retries;
  private Receiver receiver;
  private volatile boolean closing;

  /**
   * @param configs what the files say now
   * @param transports how it is reached
   * @param backoff before the first repetition
   * @throws IllegalArgumentException when certificates or keys cannot be used
   */
  EventPoster(
      Supplier<AuditKubeconfig> configs,
      Function<AuditKubeconfig, PostedEvents> transports,
      Duration backoff,
      RandomGenerator random) {
    this.configs = configs;
    this.transports = transports;
    this.retries = new WebhookRetries(backoff, random, Thread::sleep);
    var config = configs.get();
    this.receiver = new Receiver(config, transports.apply(config));
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

  private Attempt<Optional<IOException>> attempt(byte[] body) throws InterruptedException {
    try {
      once(body);
      return new Attempt<>(Optional.empty(), false);
    } catch (IOException e) {
      return new Attempt<>(Optional.of(e), !closing);
    }
  }

  /** The receiver that the files describe now; those under way go on with the one they have. */
  private synchronized Receiver now() {
    var config = configs.get();
    if (!config.equals(receiver.config()) && !closing) {
      try {
        var next = new Receiver(config, transports.apply(config));
        var last = receiver;
        receiver = next;
        Thread.ofVirtual().start(last.posts()::close);
        LOG.info("the kubeconfig of the audit webhook was read again");
      } catch (IllegalArgumentException e) {
        LOG.warn("the kubeconfig of the audit webhook cannot be used: {}", e.getMessage());
      }
    }
    return receiver;
  }

  private void once(byte[] body) throws IOException, InterruptedException {
    var to = now();
    var config = to.config();
    var headers = new ArrayList<Header>();
    headers.add(new Header("content-type", "application/json"));
    headers.add(new Header("accept", "application/json, */*"));
    var authorization = authorization(config);
    if (!authorization.isEmpty()) {
      headers.add(new Header("authorization", authorization));
    }
    var server = config.server();
    var path =
        server.getRawPath() == null || server.getRawPath().isEmpty() ? "/" : server.getRawPath();
    var target = server.resolve(path + "?timeout=" + PostedEvents.TIMEOUT.toSeconds() + "s");
    int status = to.posts().post(target, List.copyOf(headers), body);
    if (status / 100 != 2) {
      throw new IOException("the webhook answered " + status);
    }
  }

  private static String authorization(AuditKubeconfig config) throws IOException {
    var token = config.tokenNow();
    if (!token.isEmpty()) {
      return "Bearer " + token;
    }
    return config.basic().isEmpty()
        ? ""
        : "Basic "
            + Base64.getEncoder().encodeToString(config.basic().getBytes(StandardCharsets.UTF_8));
  }

  /** From now on nothing is tried again. */
  void stopRetrying() {
    closing = true;
  }

  @Override
  public synchronized void close() {
    closing = true;
    if (receiver.posts() instanceof PostedEvents.Direct direct) {
      direct.client().shutdownNow();
    }
    receiver.posts().close();
  }
}
