package dev.muster.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority of our own: signs serving and client certificates. Immutable; safe for
 * any thread. Certificates start five minutes in the past, for clients whose clocks are behind.
 */
public final class Authority {
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final int CLIENT_KEY_BITS = 2048;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PrivateKey key;
  private final X509Certificate certificate;

  private Authority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  public static Authority create(String name, Instant now, Duration life) {
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    return selfSigned(GeneratedKeys.p256(), subject, now, life);
  }

  /**
   * The same authority with a certificate that lives longer. Name and key stay, so that what it has
   * signed is good under the new certificate, and what it signs from now on is good for those that
   * know only the old one, until that ends.
   */
  public Authority renewed(Instant now, Duration life) {
    var subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    return selfSigned(new KeyPair(certificate.getPublicKey(), key), subject, now, life);
  }

  private static Authority selfSigned(KeyPair pair, X500Name subject, Instant now, Duration life) {
    var certificate =
        sign(
            pair.getPrivate(),
            subject,
            pair.getPublic(),
            subject,
            pair.getPublic(),
            now,
            now.plus(life),
            builder -> {
              builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
              builder.addExtension(
                  Extension.keyUsage,
                  true,
                  new KeyUsage(
                      KeyUsage.digitalSignature | KeyUsage.keyCertSign | KeyUsage.cRLSign));
            });
    return new Authority(pair.getPrivate(), certificate);
  }

  /** The authority of that certificate and key. */
  static Authority of(Identity identity) {
    return new Authority(identity.key(), identity.certificate());
  }

  /** An authority from its files' content. */
  public static Authority of(String certificatePem, String keyPem) {
    var certificates = Pem.certificates(certificatePem);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("holds no certificate");
    }
    return new Authority(Pem.privateKey(keyPem), certificates.getFirst());
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public PrivateKey key() {
    return key;
  }

  /** A certificate for a server that is reached under these names. */
  public Identity server(String commonName, CertificateNames names, Instant now, Duration life) {
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    return issue(GeneratedKeys.p256(), subject, names, KeyPurposeId.id_kp_serverAuth, now, life);
  }

  /**
   * A certificate for a user: the name is its CommonName, the groups are its Organizations. The key
   * is RSA, because Java clients of Kubernetes read elliptic-curve keys from a kubeconfig only
   * where Bouncy Castle is at hand.
   */
  public Identity client(String user, List<String> groups, Instant now, Duration life) {
    return client(GeneratedKeys.rsa(CLIENT_KEY_BITS), user, groups, now, life);
  }

  /**
   * A certificate for a program of ours, which reads every key and need not wait for a large one.
   */
  public Identity component(String user, List<String> groups, Instant now, Duration life) {
    return client(GeneratedKeys.p256(), user, groups, now, life);
  }

  private Identity client(
      KeyPair pair, String user, List<String> groups, Instant now, Duration life) {
    var subject = new X500NameBuilder();
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    return issue(
        pair,
        subject.build(),
        CertificateNames.of(List.of(), List.of()),
        KeyPurposeId.id_kp_clientAuth,
        now,
        life);
  }

  private Identity issue(
      KeyPair pair,
      X500Name subject,
      CertificateNames names,
      KeyPurposeId purpose,
      Instant now,
      Duration life) {
    var authorityEnd = certificate.getNotAfter().toInstant();
    var end = now.plus(life).isAfter(authorityEnd) ? authorityEnd : now.plus(life);
    var issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    var issued =
        sign(
            key,
            issuer,
            certificate.getPublicKey(),
            subject,
            pair.getPublic(),
            now,
            end,
            builder -> {
              builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
              builder.addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
              builder.addExtension(
                  Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
              var alternatives = alternatives(names);
              if (alternatives.length > 0) {
                builder.addExtension(
                    Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
              }
            });
    return new Identity(pair.getPrivate(), List.of(issued));
  }

  private static GeneralName[] alternatives(CertificateNames names) {
    var all = new ArrayList<GeneralName>();
    names.dns().stream().sorted().forEach(n -> all.add(new GeneralName(GeneralName.dNSName, n)));
    names.addresses().stream()
        .map(InetAddress::getAddress)
        .forEach(a -> all.add(new GeneralName(GeneralName.iPAddress, new DEROctetString(a))));
    return all.toArray(new GeneralName[0]);
  }

  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder) throws IOException;
  }

  private static X509Certificate sign(
      PrivateKey key,
      X500Name issuer,
      PublicKey issuerKey,
      X500Name subject,
      PublicKey subjectKey,
      Instant now,
      Instant end,
      Extensions extensions) {
    try {
      var builder =
          new X509v3CertificateBuilder(
              issuer,
              new BigInteger(159, RANDOM).setBit(158),
              CertificateTime.of(now.minus(SKEW)),
              CertificateTime.of(end),
              subject,
              SubjectPublicKeyInfo.getInstance(subjectKey.getEncoded()));
      var ids = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(subjectKey));
      builder.addExtension(
          Extension.authorityKeyIdentifier, false, ids.createAuthorityKeyIdentifier(issuerKey));
      extensions.addTo(builder);
      var algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      var signed = builder.build(new JcaContentSignerBuilder(algorithm).build(key));
      return new JcaX509CertificateConverter().getCertificate(signed);
    } catch (GeneralSecurityException | OperatorException | IOException e) {
      throw new IllegalStateException("cannot sign a certificate: " + e.getMessage(), e);
    }
  }
}
