package dev.muster.http.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
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

  /**
   * Fails when the key does not belong to the certificate. TLS would notice only in a handshake.
   */
  void requireMatch() throws GeneralSecurityException {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC", "ECDSA" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    var signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    var signed = signature.sign();
    signature.initVerify(chain.getFirst().getPublicKey());
    if (!signature.verify(signed)) {
      throw new SignatureException("the private key does not belong to the certificate");
    }
  }
}
