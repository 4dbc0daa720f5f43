package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.web.client.WebClientOptions;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of controllers, with HTTP/2: a watch is a stream of a shared connection. Servers
 * without HTTP/2 get HTTP/1.1. Not thread-safe; creates one client.
 */
final class MultiplexedHttp extends VertxHttpClientFactory {
  /** The largest number of unread bytes per stream. */
  private static final int STREAM_WINDOW = 1 << 18;

  /**
   * Larger than all streams of a connection need, so that a slow stream does not stop the others.
   */
  private static final int CONNECTION_WINDOW = 1 << 28;

  /**
   * Effectively unlimited. If all streams are in use, a request opens a new connection; otherwise
   * it could wait minutes for the end of a watch.
   */
  private static final int MOST_CONNECTIONS = 1 << 16;

  private final ConnectionOptions connections;
  private final @Nullable RenewedCredentials credentials;
  private KeyManager @Nullable [] keys;
  private TrustManager @Nullable [] trust;

  /**
   * @param credentials of the client; null for those of its configuration
   */
  MultiplexedHttp(ConnectionOptions connections, @Nullable RenewedCredentials credentials) {
    this.connections = connections;
    this.credentials = credentials;
  }

  @Override
  public VertxHttpClientBuilder<VertxHttpClientFactory> newBuilder() {
    return new VertxHttpClientBuilder<>(this, null) {
      @Override
      public VertxHttpClientBuilder<VertxHttpClientFactory> sslContext(
          KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers) {
        keys = keyManagers;
        trust = trustManagers;
        super.sslContext(keyManagers, trustManagers);
        return this;
      }
    };
  }

  @Override
  protected void additionalConfig(WebClientOptions options) {
    if (!options.isSsl()) {
      return;
    }
    options
        .setSslEngineOptions(engine())
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setUseAlpn(true)
        .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
        .setHttp2MaxPoolSize(MOST_CONNECTIONS)
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
        .setInitialSettings(new Http2Settings().setInitialWindowSize(STREAM_WINDOW))
        .setReadIdleTimeout((int) connections.silence().toSeconds());
    var renewed = credentials;
    if (renewed != null && renewed.now().keys() != null) {
      options.setKeyCertOptions(KeyCertOptions.wrap(new RenewedKeys(() -> renewed.now().keys())));
    } else if (keys != null) {
      Arrays.stream(keys)
          .filter(X509KeyManager.class::isInstance)
          .map(X509KeyManager.class::cast)
          .findFirst()
          .ifPresent(manager -> options.setKeyCertOptions(KeyCertOptions.wrap(manager)));
    }
    if (trust != null && trust.length > 0) {
      options.setTrustOptions(TrustOptions.wrap(trust[0]));
    }
  }

  /** The TLS library of the server, if it is available for this platform. */
  private static SSLEngineOptions engine() {
    return OpenSSLEngineOptions.isAlpnAvailable()
        ? new OpenSSLEngineOptions()
        : new JdkSSLEngineOptions();
  }
}
