package dev.muster.access;

import dev.muster.access.pki.Pem;
import dev.muster.registry.admission.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
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
 * Users by client certificate: signed by a known authority, in its time of validity, meant for
 * clients; the CommonName is the user's name, every Organization a group. Safe for any thread. A
 * certificate is verified once and remembered; its validity is checked again by every request.
 */
public final class ClientCertificates {
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USAGE = "2.5.29.37.0";
  private static final ASN1ObjectIdentifier UID = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");
  private static final int MOST_REMEMBERED = 10_000;

  private static final Logger log = LoggerFactory.getLogger(ClientCertificates.class);
  private static final long LOOK_EVERY_MILLIS = 10_000;

  private final InstantSource clock;
  private final @Nullable Path bundle;
  private volatile Authorities authorities;
  private volatile FileTime changed;
  private volatile long looked;

  private record Authorities(Set<X509Certificate> roots, Map<X509Certificate, Verified> verified) {}

  /** A certificate that was found good, with the time in which its whole chain is valid. */
  private record Verified(@Nullable User user, long notBefore, long notAfter) {}

  public ClientCertificates(List<X509Certificate> roots, InstantSource clock) {
    this(roots, null, clock);
  }

  private ClientCertificates(
      List<X509Certificate> roots, @Nullable Path bundle, InstantSource clock) {
    this.clock = clock;
    this.bundle = bundle;
    this.authorities = remember(roots);
    this.changed = bundle == null ? FileTime.fromMillis(0) : changedAt(bundle);
    this.looked = clock.millis();
  }

  /**
   * Authorities from a PEM bundle. When the file is replaced, its new content counts within ten
   * seconds; a file that cannot be read leaves everything as it was.
   */
  public static ClientCertificates of(Path bundle, InstantSource clock) {
    return new ClientCertificates(read(bundle), bundle, clock);
  }

  private Authorities authorities(long now) {
    var file = bundle;
    if (file != null && now - looked > LOOK_EVERY_MILLIS) {
      looked = now;
      try {
        var time = changedAt(file);
        if (!time.equals(changed)) {
          authorities = remember(read(file));
          changed = time;
          log.info("read the client authorities in {} again", file);
        }
      } catch (RuntimeException e) {
        log.warn("cannot read the client authorities in {}: {}", file, e.getMessage());
      }
    }
    return authorities;
  }

  private static FileTime changedAt(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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

  /** The authorities whose names the TLS handshake offers to clients. */
  public Set<X509Certificate> roots() {
    return authorities.roots();
  }

  /**
   * The user whom the chain's first certificate names, or null when it names none.
   *
   * @param chain leaf first, not empty
   * @throws RefusedCredentials when the certificate is not good
   */
  public @Nullable User authenticate(List<X509Certificate> chain) {
    long now = clock.millis();
    var known = authorities(now);
    var leaf = chain.getFirst();
    var verified = known.verified().get(leaf);
    if (verified == null) {
      verified = verify(known.roots(), chain);
      if (known.verified().size() >= MOST_REMEMBERED) {
        known.verified().clear();
      }
      known.verified().put(leaf, verified);
    }
    if (now < verified.notBefore() || now > verified.notAfter()) {
      known.verified().remove(leaf);
      throw refused(leaf, "certificate has expired or is not yet valid");
    }
    return verified.user();
  }

  private Verified verify(Set<X509Certificate> roots, List<X509Certificate> chain) {
    var leaf = chain.getFirst();
    var path = roots.contains(leaf) ? List.of(leaf) : build(roots, chain);
    long start = Long.MIN_VALUE;
    long end = Long.MAX_VALUE;
    for (var certificate : path) {
      start = Math.max(start, certificate.getNotBefore().toInstant().toEpochMilli());
      end = Math.min(end, certificate.getNotAfter().toInstant().toEpochMilli());
      if (!isForClients(certificate)) {
        throw refused(leaf, "certificate specifies an incompatible key usage");
      }
    }
    return new Verified(user(leaf), start, end);
  }

  /** The way from the leaf to an authority, the authority included. */
  private List<X509Certificate> build(Set<X509Certificate> roots, List<X509Certificate> chain) {
    var leaf = chain.getFirst();
    try {
      var anchors = new HashSet<TrustAnchor>();
      roots.forEach(root -> anchors.add(new TrustAnchor(root, null)));
      var target = new X509CertSelector();
      target.setCertificate(leaf);
      var parameters = new PKIXBuilderParameters(anchors, target);
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(moment(leaf)));
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
      var result =
          (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
      var path = new ArrayList<X509Certificate>();
      result.getCertPath().getCertificates().forEach(c -> path.add((X509Certificate) c));
      path.add(result.getTrustAnchor().getTrustedCert());
      return path;
    } catch (GeneralSecurityException e) {
      throw refused(leaf, "certificate signed by unknown authority or not valid");
    }
  }

  /** Now. Expired certificates are told apart from unknown ones by {@link #authenticate}. */
  private Instant moment(X509Certificate leaf) {
    var now = clock.instant();
    if (now.isAfter(leaf.getNotAfter().toInstant())
        || now.isBefore(leaf.getNotBefore().toInstant())) {
      throw refused(leaf, "certificate has expired or is not yet valid");
    }
    return now;
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
