package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority in a folder for one test; its certificates are valid for localhost. */
public final class TestCertificates {
  private static final String ISSUER = "test-ca";
  private static final AtomicLong SERIAL = new AtomicLong(1);

  /** The PEM files of a certificate and its key. */
  public record Identity(Path certificate, Path key) {}

  private final Path folder;
  private final KeyPair issuerKeys = keys();
  private final Identity authority;

  public TestCertificates(Path folder) {
    this.folder = folder;
    authority = issue(ISSUER, issuerKeys, true);
  }

  /** The authority's certificate. */
  public Path authority() {
    return authority.certificate();
  }

  /** Issues a certificate for servers on localhost and for clients, with that common name. */
  public Identity issue(String commonName) {
    return issue(commonName, keys(), false);
  }

  private Identity issue(String commonName, KeyPair keys, boolean isAuthority) {
    var names = isAuthority ? List.<String>of() : List.of("localhost");
    try {
      var certificate = sign(issuerKeys, ISSUER, commonName, keys.getPublic(), names);
      return new Identity(
          write(commonName + ".crt", certificate), write(commonName + ".key", keys.getPrivate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Signs a server certificate for these names on this machine; without names, an authority's
   * certificate.
   */
  static X509Certificate sign(
      KeyPair issuerKeys, String issuer, String commonName, PublicKey key, List<String> names) {
    try {
      var now = Instant.now();
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Name("CN=" + issuer),
              BigInteger.valueOf(SERIAL.getAndIncrement()),
              Date.from(now.minus(Duration.ofMinutes(5))),
              Date.from(now.plus(Duration.ofDays(1))),
              new X500Name("CN=" + commonName),
              key);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(names.isEmpty()));
      if (!names.isEmpty()) {
        var all = new ArrayList<GeneralName>();
        names.forEach(name -> all.add(new GeneralName(GeneralName.dNSName, name)));
        all.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(all.toArray(GeneralName[]::new)));
        builder.addExtension(
            Extension.extendedKeyUsage,
            false,
            new ExtendedKeyUsage(
                new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
      }
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate());
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyPair keys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path write(String name, Object content) throws IOException {
    var file = folder.resolve(name);
    try (var writer = new JcaPEMWriter(Files.newBufferedWriter(file))) {
      writer.writeObject(
          content instanceof PrivateKey key ? new JcaPKCS8Generator(key, null) : content);
    }
    return file;
  }
}
