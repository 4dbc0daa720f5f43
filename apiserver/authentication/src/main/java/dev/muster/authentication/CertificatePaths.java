package dev.muster.authentication;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways from a client's certificate to an authority, as the names in the certificates show them:
 * no signature is looked at. Whatever the client sends, only so many ways are found, and only so
 * many steps are made to find them.
 */
final class CertificatePaths {
  static final int MOST_PATHS = 4;
  private static final int MOST_STEPS = 64;
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final int KEY_ID_BYTES = 20;

  /** A way up, leaf first, without the authority that it leads to. */
  record CertificatePath(List<X509Certificate> certificates, X509Certificate root) {}

  private final List<X509Certificate> sent;
  private final Collection<X509Certificate> roots;
  private final List<CertificatePath> found = new ArrayList<>();
  private int steps;

  private CertificatePaths(List<X509Certificate> sent, Collection<X509Certificate> roots) {
    this.sent = sent;
    this.roots = roots;
  }

  /**
   * @param chain leaf first; the others may be in any order, or have nothing to do with it
   */
  static List<CertificatePath> of(List<X509Certificate> chain, Collection<X509Certificate> roots) {
    var paths = new CertificatePaths(chain, roots);
    paths.climb(List.of(chain.getFirst()));
    return paths.found;
  }

  private void climb(List<X509Certificate> path) {
    steps++;
    var last = path.getLast();
    for (var root : likelyFirst(issuers(last, roots), last)) {
      if (found.size() < MOST_PATHS) {
        found.add(new CertificatePath(path, root));
      }
    }
    for (var next : likelyFirst(issuers(last, sent), last)) {
      if (found.size() < MOST_PATHS && steps < MOST_STEPS && !path.contains(next)) {
        var longer = new ArrayList<>(path);
        longer.add(next);
        climb(longer);
      }
    }
  }

  private static List<X509Certificate> issuers(
      X509Certificate certificate, Collection<X509Certificate> candidates) {
    var issuers = new ArrayList<X509Certificate>();
    for (var candidate : candidates) {
      if (candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
        issuers.add(candidate);
      }
    }
    return issuers;
  }

  /** Those whose key is the one that the certificate says it was signed with go first. */
  private static List<X509Certificate> likelyFirst(
      List<X509Certificate> issuers, X509Certificate certificate) {
    if (issuers.size() < 2) {
      return issuers;
    }
    var wanted = end(certificate.getExtensionValue(AUTHORITY_KEY));
    var sorted = new ArrayList<X509Certificate>();
    for (var issuer : issuers) {
      boolean likely =
          wanted.length > 0 && Arrays.equals(wanted, end(issuer.getExtensionValue(SUBJECT_KEY)));
      sorted.add(likely ? 0 : sorted.size(), issuer);
    }
    return sorted;
  }

  /** The hash at the end of a key identifier, which is all that the usual ones hold. */
  private static byte[] end(byte @Nullable [] extension) {
    return extension == null || extension.length < KEY_ID_BYTES
        ? new byte[0]
        : Arrays.copyOfRange(extension, extension.length - KEY_ID_BYTES, extension.length);
  }
}
