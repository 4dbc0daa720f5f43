package dev.muster.authentication;

import dev.muster.model.FileProblems;
import dev.muster.model.User;
import dev.muster.pki.Pem;
import dev.muster.store.OutageLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates users by client certificate. A known authority must have signed the certificate, it
 * must be within its validity period and be meant for clients. The CommonName is the user name,
 * every Organization is a group. Thread-safe.
 *
 * <p>The cost of {@link #verify} depends on the signatures that the client chooses, within bounds.
 * Call it only on threads for which no other client waits. All other methods are cheap and may run
 * on an event loop.
 */
public final class ClientCertificates {
  /** The limit of common TLS libraries. */
  static final int MOST_CERTIFICATES = 10;

  private static final int MOST_RSA_BITS = 8192;
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USAGE = "2.5.29.37.0";
  private static final ASN1ObjectIdentifier UID = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");
  private static final int MOST_REMEMBERED = 10_000;

  private static final Logger log = LoggerFactory.getLogger(ClientCertificates.class);

  private final OutageLog outage = new OutageLog(log);
  private final InstantSource clock;
  private final PathValidator validator;
  private final @Nullable Path bundle;
  private volatile Authorities authorities;
  private volatile FileTime changed;

  private record Authorities(
      Set<X509Certificate> roots, Map<X509Certificate, CertificateVerdict> good) {}

  public ClientCertificates(List<X509Certificate> roots, InstantSource clock) {
    this(roots, null, PathValidator.pkix(), clock);
  }

  ClientCertificates(
      List<X509Certificate> roots,
      @Nullable Path bundle,
      PathValidator validator,
      InstantSource clock) {
    this.clock = clock;
    this.bundle = bundle;
    this.validator = validator;
    this.authorities = remember(roots);
    this.changed = bundle == null ? FileTime.fromMillis(0) : changedAt(bundle);
  }

  /**
   * Reads authorities from a PEM bundle. {@link #refresh} reads the bundle again after it was
   * replaced.
   */
  public static ClientCertificates of(Path bundle, InstantSource clock) {
    return new ClientCertificates(read(bundle), bundle, PathValidator.pkix(), clock);
  }

  /**
   * Reads the bundle again if it was replaced. If the bundle cannot be read, the former authorities
   * stay. The server calls this periodically.
   */
  public void refresh() {
    var file = bundle;
    if (file == null) {
      return;
    }
    try {
      var time = changedAt(file);
      if (!time.equals(changed)) {
        authorities = remember(read(file));
        changed = time;
        log.info("read the client authorities in {} again", file);
      }
      outage.ended("the client authorities in " + file + " can be read again");
    } catch (RuntimeException | Error e) {
      outage.failed("cannot read the client authorities in " + file + ": " + e.getMessage());
    }
  }

  private static FileTime changedAt(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }

  private static List<X509Certificate> read(Path bundle) {
    var roots = Pem.certificates(Pem.read(bundle));
    if (roots.isEmpty()) {
      throw new IllegalArgumentException(bundle + " holds no certificate");
    }
    return roots;
  }

  private static Authorities remember(List<X509Certificate> roots) {
    return new Authorities(Set.copyOf(roots), new ConcurrentHashMap<>());
  }

  /** The authorities whose names the TLS handshake sends to clients. */
  public Set<X509Certificate> roots() {
    return authorities.roots();
  }

  /** The milliseconds until the certificate expires, regardless of its authority. */
  public long remainingMillis(X509Certificate leaf) {
    return leaf.getNotAfter().toInstant().toEpochMilli() - clock.millis();
  }

  /** Whether a verdict is still valid; if not, the chain must be verified again. */
  public boolean holds(CertificateVerdict verdict) {
    long now = clock.millis();
    return verdict.roots() == authorities.roots()
        && now >= verdict.from()
        && now <= verdict.until();
  }

  /**
   * The verdict on a certificate that any connection has shown before and that is still valid, or
   * null.
   */
  public @Nullable CertificateVerdict remembered(X509Certificate leaf) {
    var known = authorities.good().get(leaf);
    return known != null && holds(known) ? known : null;
  }

  /**
   * Verifies a chain.
   *
   * @param chain leaf first, not empty
   */
  public CertificateVerdict verify(List<X509Certificate> chain) {
    var known = authorities;
    var leaf = chain.getFirst();
    try {
      var verdict = evaluate(known.roots(), chain);
      if (known.good().size() >= MOST_REMEMBERED) {
        known.good().clear();
      }
      known.good().put(leaf, verdict);
      return verdict;
    } catch (RefusedCredentials e) {
      return CertificateVerdict.refused(e, known.roots(), unchangedUntil(chain));
    } catch (RuntimeException e) {
      // The TLS library accepted the bytes, but they cannot be parsed as a certificate.
      var unreadable = new RefusedCredentials("malformed certificate: " + e.getMessage());
      return CertificateVerdict.refused(unreadable, known.roots(), Long.MAX_VALUE);
    }
  }

  /** A refused chain may become valid when one of its certificates reaches its start date. */
  private long unchangedUntil(List<X509Certificate> chain) {
    long now = clock.millis();
    long until = Long.MAX_VALUE;
    for (var certificate : chain) {
      long start = certificate.getNotBefore().toInstant().toEpochMilli();
      if (start > now) {
        until = Math.min(until, start - 1);
      }
    }
    return until;
  }

  private CertificateVerdict evaluate(Set<X509Certificate> roots, List<X509Certificate> chain) {
    var leaf = chain.getFirst();
    if (chain.size() > MOST_CERTIFICATES) {
      throw refused(leaf, "the chain has more than " + MOST_CERTIFICATES + " certificates");
    }
    if (roots.contains(leaf)) {
      return good(roots, List.of(leaf));
    }
    checkTime(leaf, List.of(leaf));
    var refusal = refused(leaf, "certificate signed by unknown authority or not valid");
    for (var path : CertificatePaths.of(chain, roots)) {
      var whole = new ArrayList<>(path.certificates());
      whole.add(path.root());
      try {
        checkTime(leaf, whole);
        checkKeys(leaf, whole);
        validator.validate(path.certificates(), path.root(), clock.instant());
        return good(roots, whole);
      } catch (GeneralSecurityException e) {
        log.debug("a path of the certificate {} does not hold", leaf.getSerialNumber(), e);
      } catch (RefusedCredentials e) {
        refusal = e;
      }
    }
    throw refusal;
  }

  /** The verdict on a path whose signatures are valid, including the authority's. */
  private CertificateVerdict good(Set<X509Certificate> roots, List<X509Certificate> path) {
    var leaf = path.getFirst();
    checkTime(leaf, path);
    for (var certificate : path) {
      if (!isForClients(certificate)) {
        throw refused(leaf, "certificate specifies an incompatible key usage");
      }
    }
    return CertificateVerdict.good(user(leaf), roots, start(path), end(path));
  }

  private void checkTime(X509Certificate leaf, List<X509Certificate> path) {
    long now = clock.millis();
    if (now < start(path) || now > end(path)) {
      throw refused(leaf, "certificate has expired or is not yet valid");
    }
  }

  private static long start(List<X509Certificate> path) {
    return path.stream()
        .mapToLong(each -> each.getNotBefore().toInstant().toEpochMilli())
        .max()
        .orElseThrow();
  }

  private static long end(List<X509Certificate> path) {
    return path.stream()
        .mapToLong(each -> each.getNotAfter().toInstant().toEpochMilli())
        .min()
        .orElseThrow();
  }

  /**
   * Bounds the key sizes, because the client chooses the keys and so the cost of the signatures.
   */
  private static void checkKeys(X509Certificate leaf, List<X509Certificate> path) {
    for (var certificate : path) {
      if (certificate.getPublicKey() instanceof RSAKey key
          && key.getModulus().bitLength() > MOST_RSA_BITS) {
        throw refused(leaf, "a key of the chain has more than " + MOST_RSA_BITS + " bits");
      }
    }
  }

  private static boolean isForClients(X509Certificate certificate) {
    try {
      var usages = certificate.getExtendedKeyUsage();
      return usages == null || usages.contains(CLIENT_AUTH) || usages.contains(ANY_USAGE);
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  private static @Nullable User user(X509Certificate leaf) {
    var subject = X500Name.getInstance(leaf.getSubjectX500Principal().getEncoded());
    var names = values(subject, BCStyle.CN);
    if (names.isEmpty() || names.getLast().isEmpty()) {
      return null;
    }
    var uids = values(subject, UID);
    if (uids.size() > 1 || uids.contains("")) {
      throw refused(leaf, "expected one UID that is not empty");
    }
    return new User(
            names.getLast(),
            uids.isEmpty() ? "" : uids.getFirst(),
            values(subject, BCStyle.O),
            Map.of(
                "authentication.kubernetes.io/credential-id",
                List.of("X509SHA256=" + fingerprint(leaf))))
        .authenticated();
  }

  private static List<String> values(X500Name subject, ASN1ObjectIdentifier type) {
    var found = new ArrayList<String>();
    for (var rdn : subject.getRDNs()) {
      for (var attribute : rdn.getTypesAndValues()) {
        if (attribute.getType().equals(type)) {
          found.add(attribute.getValue() instanceof ASN1String text ? text.getString() : "");
        }
      }
    }
    return found;
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RefusedCredentials refused(X509Certificate leaf, String why) {
    return new RefusedCredentials(
        "verifying certificate SN=" + leaf.getSerialNumber() + " failed: x509: " + why);
  }
}
