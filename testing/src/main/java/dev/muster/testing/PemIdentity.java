package dev.muster.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Certificates in files as the JDK's TLS wants them. */
final class PemIdentity {
  private PemIdentity() {}

  static SSLContext serverContext(TestCertificates.Identity identity) throws IOException {
    try (var in = Files.newInputStream(identity.certificate());
        var parser = new PEMParser(Files.newBufferedReader(identity.key()))) {
      var certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      var key = new JcaPEMKeyConverter().getPrivateKey((PrivateKeyInfo) parser.readObject());
      var password = new char[0];
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key, password, new Certificate[] {certificate});
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, password);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
