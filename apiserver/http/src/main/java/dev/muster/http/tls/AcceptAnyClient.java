package dev.muster.http.tls;

import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every client certificate in the handshake, as kube-apiserver does: a certificate of an
 * unknown CA is no reason to refuse a client that also has a token. The request chain verifies the
 * certificate; the handshake only proves that the client holds its key.
 */
final class AcceptAnyClient extends X509ExtendedTrustManager {
  private final List<X509Certificate> authorities;

  AcceptAnyClient(List<X509Certificate> authorities) {
    this.authorities = authorities;
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.toArray(X509Certificate[]::new);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {
    throw new UnsupportedOperationException("this side is the server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
    throw new UnsupportedOperationException("this side is the server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
    throw new UnsupportedOperationException("this side is the server");
  }
}
