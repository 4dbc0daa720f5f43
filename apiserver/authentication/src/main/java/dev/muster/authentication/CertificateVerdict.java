package dev.muster.authentication;

import dev.muster.model.User;
import java.security.cert.X509Certificate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a client certificate: a user or a refusal. It is valid while {@link
 * ClientCertificates#holds} returns true. Immutable.
 *
 * @param user the user that the certificate names; null when it names none or is refused
 * @param refusal why the certificate is refused; null when it is accepted
 * @param roots the authorities that the verification used
 * @param from the first moment at which this verdict is valid, in epoch milliseconds
 * @param until the last moment at which this verdict is valid, in epoch milliseconds
 */
public record CertificateVerdict(
    @Nullable User user,
    @Nullable RefusedCredentials refusal,
    Set<X509Certificate> roots,
    long from,
    long until) {

  static CertificateVerdict good(
      @Nullable User user, Set<X509Certificate> roots, long from, long until) {
    return new CertificateVerdict(user, null, roots, from, until);
  }

  static CertificateVerdict refused(
      RefusedCredentials refusal, Set<X509Certificate> roots, long until) {
    return new CertificateVerdict(null, refusal, roots, Long.MIN_VALUE, until);
  }

  public boolean isRefused() {
    return refusal != null;
  }
}
