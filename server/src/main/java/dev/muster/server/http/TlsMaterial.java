package dev.muster.server.http;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** A server's certificate chain, leaf first, and the leaf's private key. */
public record TlsMaterial(List<X509Certificate> chain, PrivateKey key) {
  public TlsMaterial {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a TLS server needs at least one certificate");
    }
  }
}
