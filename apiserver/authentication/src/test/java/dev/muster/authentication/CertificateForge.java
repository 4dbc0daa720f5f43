package dev.muster.authentication;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificates under whatever names and signatures a test wants. */
record CertificateForge(String name, KeyPair keys, X509Certificate certificate) {
  private static final AtomicLong SERIAL = new AtomicLong(1);

  /** An authority that signs itself. */
  static CertificateForge root(String name, Instant now) {
    var keys = newKeys();
    return new CertificateForge(name, keys, sign(name, keys, name, keys, true, now));
  }

  /** An authority that this one has signed. */
  CertificateForge intermediate(String subject, Instant now) {
    var own = newKeys();
    return new CertificateForge(subject, own, sign(subject, own, name, keys, true, now));
  }

  /** The same authority, key and all, signed by another. */
  CertificateForge signedBy(CertificateForge other, Instant now) {
    return new CertificateForge(name, keys, sign(name, keys, other.name, other.keys, true, now));
  }

  X509Certificate client(String subject, Instant now) {
    return sign(subject, newKeys(), name, keys, false, now);
  }

  static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static X509Certificate sign(
      String subject, KeyPair own, String issuer, KeyPair by, boolean authority, Instant now) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Name("CN=" + issuer),
              BigInteger.valueOf(SERIAL.getAndIncrement()),
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(30))),
              new X500Name("CN=" + subject),
              own.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      var algorithm =
          by.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder(algorithm).build(by.getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
