package dev.muster.http;

import dev.muster.http.tls.TlsMaterial;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A certificate authority that lives as long as a test. */
public final class TestAuthority {
  /** An extension that means nothing. */
  private static final ASN1ObjectIdentifier PADDING = new ASN1ObjectIdentifier("1.2.3.4");

  private final KeyPair keys = newKeys();
  final X509Certificate certificate;

  public TestAuthority(String name) {
    certificate = sign(name, keys, true);
  }

  /** A certificate for localhost, or for a client, under that name. */
  public TlsMaterial issue(String name) {
    var leaf = newKeys();
    return new TlsMaterial(List.of(sign(name, leaf, false), certificate), leaf.getPrivate());
  }

  /** As {@link #issue}, with a key for RSA. */
  TlsMaterial issueRsa(String name) {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      var leaf = generator.generateKeyPair();
      return new TlsMaterial(List.of(sign(name, leaf, false), certificate), leaf.getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A server's certificate for those DNS names and no address. */
  TlsMaterial issueFor(String name, String... dnsNames) {
    var leaf = newKeys();
    var names =
        Arrays.stream(dnsNames).map(dns -> new GeneralName(GeneralName.dNSName, dns)).toList();
    var signed = sign(name, leaf, false, 0, names);
    return new TlsMaterial(List.of(signed, certificate), leaf.getPrivate());
  }

  /** A client's certificate with others behind it that have nothing to do with it. */
  TlsMaterial issueWithMore(String name, int more, int bytesOfEach) {
    var issued = issue(name);
    var chain = new ArrayList<>(issued.chain());
    for (int i = 0; i < more; i++) {
      chain.add(sign("x" + i, newKeys(), false, bytesOfEach));
    }
    return new TlsMaterial(chain, issued.key());
  }

  /** A client's side: trusts this authority, shows nothing. */
  SSLContext client() {
    return client(null);
  }

  SSLContext client(@Nullable TlsMaterial own) {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", certificate);
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(own == null ? null : keyManagers(own), trust.getTrustManagers(), null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyManager[] keyManagers(TlsMaterial own) throws Exception {
    // Takes chains that are none.
    var store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry("own", own.key(), new char[0], own.chain().toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate sign(String name, KeyPair subject, boolean authority) {
    return sign(name, subject, authority, 0);
  }

  private X509Certificate sign(String name, KeyPair subject, boolean authority, int padding) {
    var names =
        List.of(
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1"));
    return sign(name, subject, authority, padding, authority ? List.of() : names);
  }

  private X509Certificate sign(
      String name, KeyPair subject, boolean authority, int padding, List<GeneralName> names) {
    try {
      var issuer =
          authority
              ? new X500Name("CN=" + name)
              : X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
      var now = Instant.now();
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(64, new SecureRandom()),
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(1))),
              new X500Name("CN=" + name),
              subject.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (padding > 0) {
        builder.addExtension(PADDING, false, new byte[padding]);
      }
      if (!names.isEmpty()) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(names.toArray(GeneralName[]::new)));
      }
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
