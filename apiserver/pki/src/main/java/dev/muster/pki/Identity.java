package dev.muster.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A private key and the certificates that speak for it, leaf first.
 *
 * @param chain without the authority's own certificate, which the other side must know already
 */
public record Identity(PrivateKey key, List<X509Certificate> chain) {
  public Identity {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("an identity needs a certificate");
    }
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /**
   * Whether a new certificate is due: a wanted name is missing, or less than a third of its life is
   * left.
   */
  public static boolean needsRenewal(
      X509Certificate certificate, CertificateNames wanted, Instant now) {
    return nearsItsEnd(certificate, now) || !CertificateNames.in(certificate).holds(wanted);
  }

  static boolean nearsItsEnd(X509Certificate certificate, Instant now) {
    var start = certificate.getNotBefore().toInstant();
    var end = certificate.getNotAfter().toInstant();
    var renewAt = end.minus(Duration.between(start, end).dividedBy(3));
    return now.isBefore(start) || !now.isBefore(renewAt);
  }

  /** Never the key. */
  @Override
  public String toString() {
    return certificate().getSubjectX500Principal().getName();
  }
}
