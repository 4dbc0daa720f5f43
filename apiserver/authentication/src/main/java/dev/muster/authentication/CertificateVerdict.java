package dev.muster.authentication;

import dev.muster.model.User;
import java.security.cert.X509Certificate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client's certificate is worth, refusals included; counts for as long as {@link
 * ClientCertificates#holds} says so. Immutable.
 *
 * @param user whom the certificate names; null when it names nobody or is refused
 * @param refusal why the certificate is not good; null when it is
 * @param roots the authorities by which it was judged
 * @param from in epoch milliseconds, as {@code until} is, the first moment of which this is true
 * @param until the last moment of which this is true
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
