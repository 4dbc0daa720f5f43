package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Creates TLS contexts for tests. */
public final class TestTls {
  private static final char[] NO_PASSWORD = {};

  private TestTls() {}

  /** For a server with this certificate that requests no client certificate. */
  public static SSLContext showing(PrivateKey key, List<X509Certificate> chain) {
    return context(keyManagers(key, chain), new TrustManager[0]);
  }

  /** For a server with this certificate that trusts client certificates of these authorities. */
  public static SSLContext showing(
      PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities) {
    return context(keyManagers(key, chain), trustManagers(authorities));
  }

  /** For a client without a certificate that trusts these authorities. */
  public static SSLContext trusting(List<X509Certificate> authorities) {
    return context(new KeyManager[0], trustManagers(authorities));
  }

  /** For a client that trusts any server, which the test has started itself. */
  public static SSLContext trustingAnyone() {
    return context(new KeyManager[0], new TrustManager[] {new Anyone()});
  }

  private static SSLContext context(KeyManager[] shown, TrustManager[] trusted) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(shown, trusted, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyManager[] keyManagers(PrivateKey key, List<X509Certificate> chain) {
    try {
      var store = emptyStore();
      store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManager[] trustManagers(List<X509Certificate> authorities) {
    try {
      var store = emptyStore();
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("authority-" + i, authorities.get(i));
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks nothing, not even the host name. */
  private static final class Anyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
