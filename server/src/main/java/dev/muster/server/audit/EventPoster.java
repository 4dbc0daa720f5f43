package dev.muster.server.audit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Safe for any thread; blocks the virtual thread that calls. Posts events to another server, and
 * tries again when that fails for whatever reason: nobody can ask for an event later.
 */
final class EventPoster implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int ATTEMPTS = 5;
  private static final double GROWTH = 1.5;
  private static final double JITTER = 0.2;

  private final AuditKubeconfig config;
  private final HttpClient client;
  private final URI target;
  private final Duration backoff;
  private final RandomGenerator random;
  private volatile boolean closing;

  /**
   * @param backoff before the first repetition
   * @throws IllegalArgumentException when certificates or keys cannot be used
   */
  EventPoster(AuditKubeconfig config, Duration backoff, RandomGenerator random) {
    this.config = config;
    this.client = ClientTls.client(config, TIMEOUT);
    this.backoff = backoff;
    this.random = random;
    var server = config.server();
    var path =
        server.getRawPath() == null || server.getRawPath().isEmpty() ? "/" : server.getRawPath();
    this.target = server.resolve(path + "?timeout=" + TIMEOUT.toSeconds() + "s");
  }

  /**
   * @param body an EventList
   * @throws IOException saying why the last attempt failed
   */
  void post(byte[] body) throws IOException, InterruptedException {
    double pause = (double) backoff.toNanos();
    for (int attempt = 1; ; attempt++) {
      try {
        once(body);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS || closing) {
          throw e;
        }
      }
      TimeUnit.NANOSECONDS.sleep((long) (pause * (1 + JITTER * random.nextDouble())));
      pause *= GROWTH;
    }
  }

  private void once(byte[] body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(target)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, */*")
            .header("User-Agent", "muster")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    var token = config.tokenNow();
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    } else if (!config.basic().isEmpty()) {
      request.header(
          "Authorization",
          "Basic "
              + Base64.getEncoder()
                  .encodeToString(config.basic().getBytes(StandardCharsets.UTF_8)));
    }
    var response = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
    if (response.statusCode() / 100 != 2) {
      throw new IOException("the webhook answered " + response.statusCode());
    }
  }

  /** From now on nothing is tried again. */
  void stopRetrying() {
    closing = true;
  }

  @Override
  public void close() {
    closing = true;
    client.shutdownNow();
  }
}
