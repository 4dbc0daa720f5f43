package dev.muster.server.audit;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** An HTTP client that believes and shows what a kubeconfig says. */
final class ClientTls {
  private ClientTls() {}

  /**
   * @throws IllegalArgumentException when certificates or keys cannot be used
   */
  static HttpClient client(AuditKubeconfig config, Duration connectTimeout) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys(config), trust(config), null);
      return HttpClient.newBuilder()
          .sslContext(context)
          .connectTimeout(connectTimeout)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("certificates or key: " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(AuditKubeconfig config)
      throws GeneralSecurityException, IOException {
    var key = config.key();
    if (key == null) {
      return null;
    }
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "client", key, new char[0], config.certificates().toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static TrustManager @Nullable [] trust(AuditKubeconfig config)
      throws GeneralSecurityException, IOException {
    if (config.insecure()) {
      return new TrustManager[] {new Everybody()};
    }
    if (config.authorities().isEmpty()) {
      return null;
    }
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < config.authorities().size(); i++) {
      store.setCertificateEntry("ca" + i, config.authorities().get(i));
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Believes whoever answers, as the kubeconfig asks for. */
  private static final class Everybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
