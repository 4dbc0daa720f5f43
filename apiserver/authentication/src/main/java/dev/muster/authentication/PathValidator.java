package dev.muster.authentication;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Validates one path from a certificate to an authority, verifying each signature once. */
@FunctionalInterface
interface PathValidator {
  /**
   * @param path leaf first, without the authority
   * @throws GeneralSecurityException when a signature or a constraint of the path is invalid
   */
  void validate(List<X509Certificate> path, X509Certificate root, Instant now)
      throws GeneralSecurityException;

  /** The JDK's RFC 5280 validation, from the authority down, without revocation checks. */
  static PathValidator pkix() {
    return (path, root, now) -> {
      var parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
    };
  }
}
