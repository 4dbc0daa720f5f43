package dev.muster.controllers.certificates;

import dev.muster.pki.PemFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The certificate authority that signs approved requests. Thread-safe. */
public final class SigningAuthority {
  /** Certificates are valid from this long ago, because other clocks may be behind. */
  private static final Duration BACKDATE = Duration.ofMinutes(5);

  /** A certificate with a shorter lifetime keeps its whole lifetime after the backdating. */
  private static final Duration SHORT = Duration.ofHours(8);

  private static final Map<String, Integer> USAGES =
      Map.of(
          "signing", KeyUsage.digitalSignature,
          "digital signature", KeyUsage.digitalSignature,
          "content commitment", KeyUsage.nonRepudiation,
          "key encipherment", KeyUsage.keyEncipherment,
          "key agreement", KeyUsage.keyAgreement,
          "data encipherment", KeyUsage.dataEncipherment,
          "cert sign", KeyUsage.keyCertSign,
          "crl sign", KeyUsage.cRLSign,
          "encipher only", KeyUsage.encipherOnly,
          "decipher only", KeyUsage.decipherOnly);
  private static final Map<String, KeyPurposeId> PURPOSES =
      Map.of(
          "any", KeyPurposeId.anyExtendedKeyUsage,
          "server auth", KeyPurposeId.id_kp_serverAuth,
          "client auth", KeyPurposeId.id_kp_clientAuth,
          "code signing", KeyPurposeId.id_kp_codeSigning,
          "email protection", KeyPurposeId.id_kp_emailProtection,
          "s/mime", KeyPurposeId.id_kp_emailProtection,
          "timestamping", KeyPurposeId.id_kp_timeStamping,
          "ocsp signing", KeyPurposeId.id_kp_OCSPSigning);

  private final X509Certificate certificate;
  private final PrivateKey key;
  private final SecureRandom random = new SecureRandom();

  SigningAuthority(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /**
   * @throws IllegalArgumentException with the flag whose file cannot be used
   */
  public static SigningAuthority read(Path certificate, Path key) {
    return new SigningAuthority(
        read("--cluster-signing-cert-file", certificate, PemFiles::certificates).getFirst(),
        read("--cluster-signing-key-file", key, PemFiles::privateKey));
  }

  private static <T> T read(String flag, Path file, Function<Path, T> reader) {
    try {
      return reader.apply(file);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(flag + ": " + e.getMessage(), e);
    }
  }

  /**
   * @param lifetime from now on; never beyond the authority's own
   * @throws IllegalArgumentException if the request cannot be signed
   */
  X509Certificate sign(CertificateRequest request, Duration lifetime, Instant now) {
    var last = certificate.getNotAfter().toInstant();
    if (!now.isBefore(last)) {
      throw new IllegalArgumentException("the signer has expired: NotAfter=" + last);
    }
    var end = now.plus(lifetime.compareTo(SHORT) < 0 ? lifetime : lifetime.minus(BACKDATE));
    try {
      var content = request.content();
      var extensions = new JcaX509ExtensionUtils();
      var builder =
          new X509v3CertificateBuilder(
              new JcaX509CertificateHolder(certificate).getSubject(),
              new BigInteger(127, random).add(BigInteger.ONE),
              Date.from(now.minus(BACKDATE)),
              Date.from(end.isBefore(last) ? end : last),
              content.getSubject(),
              content.getSubjectPublicKeyInfo());
      addUsages(builder, request.usages());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(certificate.getPublicKey()));
      var names = request.alternativeNames();
      if (names.length > 0) {
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      var signer = new JcaContentSignerBuilder(algorithm()).build(key);
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalArgumentException("cannot be signed: " + e.getMessage(), e);
    }
  }

  private static void addUsages(X509v3CertificateBuilder builder, Set<String> wanted)
      throws IOException {
    int usage = 0;
    List<KeyPurposeId> purposes = new ArrayList<>();
    for (var name : wanted) {
      var bit = USAGES.get(name);
      var purpose = PURPOSES.get(name);
      if (bit != null) {
        usage |= bit;
      } else if (purpose != null) {
        purposes.add(purpose);
      } else {
        throw new IllegalArgumentException("unrecognized usage values: [\"" + name + "\"]");
      }
    }
    if (usage != 0) {
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
    }
    if (!purposes.isEmpty()) {
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(purposes.toArray(KeyPurposeId[]::new)));
    }
  }

  private String algorithm() {
    return switch (key.getAlgorithm()) {
      case "EC", "ECDSA" -> "SHA256withECDSA";
      case "Ed25519", "EdDSA" -> "Ed25519";
      default -> "SHA256withRSA";
    };
  }
}
