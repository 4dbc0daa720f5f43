package dev.muster.cli.controllers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.cli.command.CommandFailure;
import dev.muster.pki.TlsSuites;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * Serves {@code /healthz}, {@code /livez} and {@code /readyz} to every client, and {@code /metrics}
 * to clients whose token the API server authenticates and authorizes for that path. Uses virtual
 * threads.
 */
final class ManagerListener implements AutoCloseable {
  /**
   * The limit of concurrent token checks, each of which takes two API requests, so that
   * unauthenticated clients cannot overload the API server.
   */
  private static final int MOST_AT_A_TIME = 8;

  private static final String BEARER = "Bearer ";

  private final HttpsServer server;
  private final KubernetesClient client;
  private final PrometheusRegistry metrics;
  private final Semaphore places = new Semaphore(MOST_AT_A_TIME);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private ManagerListener(HttpsServer server, KubernetesClient client, PrometheusRegistry metrics) {
    this.server = server;
    this.client = client;
    this.metrics = metrics;
  }

  /**
   * @throws CommandFailure when it cannot listen there
   */
  static ManagerListener start(
      InetSocketAddress address,
      ManagerCertificate certificate,
      KubernetesClient client,
      PrometheusRegistry metrics) {
    try {
      var https = HttpsServer.create(address, 0);
      var tls = tls(certificate);
      https.setHttpsConfigurator(
          new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
              parameters.setSSLParameters(TlsSuites.usual(tls));
            }
          });
      var listener = new ManagerListener(https, client, metrics);
      https.setExecutor(listener.threads);
      https.createContext("/", exchange -> answer(exchange, 404, "not found\n"));
      for (var path : new String[] {"/healthz", "/livez", "/readyz"}) {
        https.createContext(path, exchange -> answer(exchange, 200, "ok"));
      }
      https.createContext("/metrics", listener::metrics);
      https.start();
      return listener;
    } catch (IOException e) {
      throw new CommandFailure(
          "--secure-port: cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static SSLContext tls(ManagerCertificate certificate) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {certificate}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new CommandFailure("--tls-cert-file: " + e.getMessage(), e);
    }
  }

  private void metrics(HttpExchange exchange) throws IOException {
    if (!places.tryAcquire()) {
      answer(exchange, 429, "too many requests at a time\n");
      return;
    }
    try {
      var user = user(exchange);
      if (user.isEmpty()) {
        answer(exchange, 401, "Unauthorized\n");
      } else if (!mayGetMetrics(user.get())) {
        answer(exchange, 403, "Forbidden: get of /metrics\n");
      } else {
        answer(exchange, 200, text());
      }
    } catch (KubernetesClientException e) {
      answer(exchange, 500, "the API server does not say who may: " + e.getMessage() + "\n");
    } finally {
      places.release();
    }
  }

  private Optional<UserInfo> user(HttpExchange exchange) {
    var header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Optional.empty();
    }
    var review =
        client
            .tokenReviews()
            .create(
                new TokenReviewBuilder()
                    .withNewSpec()
                    .withToken(header.substring(BEARER.length()).strip())
                    .endSpec()
                    .build());
    var status = review.getStatus();
    return status != null && Boolean.TRUE.equals(status.getAuthenticated())
        ? Optional.ofNullable(status.getUser())
        : Optional.empty();
  }

  private boolean mayGetMetrics(UserInfo user) {
    var review =
        client
            .authorization()
            .v1()
            .subjectAccessReview()
            .create(
                new SubjectAccessReviewBuilder()
                    .withNewSpec()
                    .withUser(user.getUsername())
                    .withUid(user.getUid())
                    .withGroups(user.getGroups())
                    .withExtra(user.getExtra())
                    .withNewNonResourceAttributes("/metrics", "get")
                    .endSpec()
                    .build());
    return review.getStatus() != null && Boolean.TRUE.equals(review.getStatus().getAllowed());
  }

  private String text() throws IOException {
    var text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, metrics.scrape());
    return text.toString(StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    try (exchange) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
