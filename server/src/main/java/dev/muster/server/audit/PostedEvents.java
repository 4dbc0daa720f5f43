package dev.muster.server.audit;

import dev.muster.server.http.Header;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Safe for any thread; blocks the virtual thread that calls. Takes events to a server that a
 * kubeconfig describes, directly or through the egress selection {@code controlplane}.
 */
sealed interface PostedEvents extends AutoCloseable {
  Duration TIMEOUT = Duration.ofSeconds(30);

  /**
   * Posts once, and answers with the status.
   *
   * @param headers of the request
   */
  int post(URI target, List<Header> headers, byte[] body) throws IOException, InterruptedException;

  @Override
  void close();

  /**
   * The client that keeps connections knows no other name for a server than that of its URL.
   *
   * @throws IllegalArgumentException when certificates or keys cannot be used
   */
  static PostedEvents of(SeparatePost separate, AuditKubeconfig config) {
    return separate.isProxied() || !config.serverName().isEmpty()
        ? Separate.of(separate, config)
        : Direct.of(config);
  }

  /** Over connections that are kept. */
  record Direct(HttpClient client) implements PostedEvents {
    private static Direct of(AuditKubeconfig config) {
      return new Direct(ClientTls.client(config, TIMEOUT));
    }

    @Override
    public int post(URI target, List<Header> headers, byte[] body)
        throws IOException, InterruptedException {
      var request =
          HttpRequest.newBuilder(target)
              .timeout(TIMEOUT)
              .header("User-Agent", "muster")
              .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      headers.forEach(header -> request.header(header.name(), header.value()));
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
      client.shutdown();
    }
  }

  /** Each on a connection of its own. */
  record Separate(SeparatePost way, SslContext tls, String serverName) implements PostedEvents {
    private static Separate of(SeparatePost way, AuditKubeconfig config) {
      var builder =
          SslContextBuilder.forClient()
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2");
      var key = config.key();
      if (key != null) {
        builder.keyManager(key, config.certificates().toArray(X509Certificate[]::new));
      }
      builder.endpointIdentificationAlgorithm(config.insecure() ? null : "HTTPS");
      if (config.insecure()) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (!config.authorities().isEmpty()) {
        builder.trustManager(config.authorities().toArray(X509Certificate[]::new));
      }
      try {
        return new Separate(way, builder.build(), config.serverName());
      } catch (SSLException e) {
        throw new IllegalArgumentException("certificates or key: " + e.getMessage(), e);
      }
    }

    @Override
    public int post(URI target, List<Header> headers, byte[] body) throws IOException {
      return way.post(target, headers, body, tls, serverName, TIMEOUT);
    }

    @Override
    public void close() {
      // The way is for all.
    }
  }
}
