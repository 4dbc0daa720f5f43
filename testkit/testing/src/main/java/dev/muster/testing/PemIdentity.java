package dev.muster.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Loads PEM certificate files for the JDK's TLS. */
final class PemIdentity {
  private PemIdentity() {}

  static SSLContext serverContext(TestCertificates.Identity identity) throws IOException {
    try (var in = Files.newInputStream(identity.certificate());
        var parser = new PEMParser(Files.newBufferedReader(identity.key()))) {
      var certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      var key = new JcaPEMKeyConverter().getPrivateKey((PrivateKeyInfo) parser.readObject());
      return TestTls.showing(key, List.of(certificate));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
