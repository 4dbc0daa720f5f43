package dev.muster.server.authentication;

import dev.muster.authentication.jwt.ProviderClient;
import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Creates HTTPS clients for token issuers: the JDK's for direct connections. Thread-safe. A call
 * blocks its thread for up to 30 seconds, and accepts at most 1 MiB.
 */
public final class HttpsProviders implements ProviderClient.Factory {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long MOST_BYTES = 1 << 20;

  private record ClientSettings(String authorities, HttpClient.Redirect redirects) {}

  private final Executor threads;
  private final ProviderEgress egress;
  private final Map<ClientSettings, HttpClient> clients = new ConcurrentHashMap<>();

  /**
   * @param egress creates clients for issuers behind an egress proxy
   */
  public HttpsProviders(Executor threads, ProviderEgress egress) {
    this.threads = threads;
    this.egress = egress;
  }

  @Override
  public ProviderClient reaching(String authorities, String selection) {
    if (!selection.isEmpty()) {
      return egress.client(authorities, selection);
    }
    return (url, accessToken) ->
        get(
            client(
                authorities,
                accessToken.isEmpty() ? HttpClient.Redirect.NORMAL : HttpClient.Redirect.NEVER),
            url,
            accessToken);
  }

  private HttpClient client(String authorities, HttpClient.Redirect redirects) {
    return clients.computeIfAbsent(new ClientSettings(authorities, redirects), this::client);
  }

  private HttpClient client(ClientSettings wanted) {
    var builder =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(wanted.redirects())
            .executor(threads);
    var context = context(wanted.authorities());
    return builder.sslContext(context).sslParameters(TlsSuites.usual(context)).build();
  }

  private static SSLContext context(String authorities) {
    try {
      if (authorities.isEmpty()) {
        return SSLContext.getDefault();
      }
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int number = 0;
      for (var certificate : Pem.certificates(authorities)) {
        store.setCertificateEntry("authority-" + number++, certificate);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("these authorities cannot be used: " + e, e);
    }
  }

  private static ProviderClient.Response get(HttpClient client, String url, String accessToken)
      throws IOException {
    try {
      var request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
      if (!accessToken.isEmpty()) {
        request.header("Authorization", "Bearer " + accessToken);
      }
      var response =
          client.send(
              request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
      return new ProviderClient.Response(
          response.statusCode(),
          response.headers().firstValue("content-type").orElse(""),
          response.body());
    } catch (IllegalArgumentException e) {
      throw new IOException("Get \"" + url + "\": " + e.getMessage(), e);
    } catch (IOException e) {
      var why = e.getMessage();
      throw new IOException(
          "Get \"" + url + "\": " + (why == null ? e.getClass().getSimpleName() : why), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Get \"" + url + "\": interrupted", e);
    }
  }
}
