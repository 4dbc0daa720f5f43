package dev.muster.authentication;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the paths from a client's certificate to a trusted authority by the names in the
 * certificates. It verifies no signatures. The number of paths and of search steps is bounded,
 * whatever the client sends.
 */
final class CertificatePaths {
  static final int MOST_PATHS = 4;
  private static final int MOST_STEPS = 64;
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final int KEY_ID_BYTES = 20;

  /**
   * A path, leaf first, and the authority at its end, which {@code certificates} does not contain.
   */
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
   * @param chain leaf first; the other certificates may be unordered or unrelated
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

  /** Candidates whose key matches the authority key identifier of the certificate come first. */
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

  /**
   * The hash at the end of a key identifier extension, which is all that common extensions hold.
   */
  private static byte[] end(byte @Nullable [] extension) {
    return extension == null || extension.length < KEY_ID_BYTES
        ? new byte[0]
        : Arrays.copyOfRange(extension, extension.length - KEY_ID_BYTES, extension.length);
  }
}
