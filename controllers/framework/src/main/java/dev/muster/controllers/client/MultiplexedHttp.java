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
 * Used by one thread, for one client. HTTP/2 for clients that follow many resources at once: a
 * watch is a stream, not a connection with a handshake of its own. Servers that do not speak it are
 * spoken to as before.
 */
final class MultiplexedHttp extends VertxHttpClientFactory {
  /** What a stream may hold that nobody has read yet. */
  private static final int STREAM_WINDOW = 1 << 18;

  /** More than all streams of a connection can hold, so that a slow one never stops the others. */
  private static final int CONNECTION_WINDOW = 1 << 28;

  /**
   * More than anybody needs: a request that finds all streams taken makes a connection, and one
   * that had to wait for the end of a watch would wait for minutes.
   */
  private static final int MOST_CONNECTIONS = 1 << 16;

  private final ConnectionOptions connections;
  private final @Nullable RenewedCredentials credentials;
  private KeyManager @Nullable [] keys;
  private TrustManager @Nullable [] trust;

  /**
   * @param credentials what is shown of the client; null for what its configuration says
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

  /** The TLS library that the server uses, where there is one for this machine. */
  private static SSLEngineOptions engine() {
    return OpenSSLEngineOptions.isAlpnAvailable()
        ? new OpenSSLEngineOptions()
        : new JdkSSLEngineOptions();
  }
}
