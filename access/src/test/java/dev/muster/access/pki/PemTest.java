package dev.muster.access.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;

class PemTest {
  /** The forms that openssl writes: PKCS#1 for RSA, SEC 1 for EC. */
  private static String traditional(KeyPair pair) throws Exception {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      if (pair.getPrivate() instanceof ECPrivateKey ec) {
        var sec1 =
            new org.bouncycastle.asn1.sec.ECPrivateKey(
                256, ec.getS(), SECObjectIdentifiers.secp256r1);
        writer.writeObject(new PemObject("EC PRIVATE KEY", sec1.getEncoded()));
      } else {
        writer.writeObject(pair);
      }
    }
    return text.toString();
  }

  @Test
  void readsPrivateKeysInEveryUsualForm() throws Exception {
    var rsa = GeneratedKeys.rsa(2048);
    var ec = GeneratedKeys.p256();
    assertThat(traditional(rsa)).contains("BEGIN RSA PRIVATE KEY");
    assertThat(traditional(ec)).contains("BEGIN EC PRIVATE KEY");
    assertThat(Pem.keyPair(traditional(rsa)).getPublic()).isEqualTo(rsa.getPublic());
    assertThat(Pem.keyPair(traditional(ec)).getPublic().getEncoded())
        .isEqualTo(ec.getPublic().getEncoded());
    assertThat(Pem.privateKey(Pem.of(rsa.getPrivate()))).isEqualTo(rsa.getPrivate());
    assertThat(Pem.of(ec.getPrivate())).isEqualToNormalizingNewlines(traditional(ec));
    assertThat(Pem.keyPair(Pem.of(ec.getPrivate())).getPublic().getEncoded())
        .isEqualTo(ec.getPublic().getEncoded());
  }

  @Test
  void aPairHasBothHalvesInOneBlock() {
    var ec = GeneratedKeys.p256();
    var read = Pem.keyPair(Pem.of(ec));
    assertThat(Pem.of(ec)).hasLineCount(5).startsWith("-----BEGIN EC PRIVATE KEY");
    assertThat(Pem.of(read.getPrivate())).isEqualTo(Pem.of(ec.getPrivate()));
    assertThat(read.getPublic()).isEqualTo(ec.getPublic());
    var rsa = GeneratedKeys.rsa(2048);
    assertThat(Pem.keyPair(Pem.of(rsa)).getPublic()).isEqualTo(rsa.getPublic());
  }

  @Test
  void findsEveryPublicKeyOfAFile() throws Exception {
    var rsa = GeneratedKeys.rsa(2048);
    var ec = GeneratedKeys.p256();
    var authority = Authority.create("x", Instant.now(), Duration.ofDays(1));
    var text = Pem.of(rsa.getPublic()) + traditional(ec) + Pem.of(authority.certificate());
    assertThat(Pem.publicKeys(text))
        .extracting(key -> (Object) key.getEncoded())
        .containsExactly(
            rsa.getPublic().getEncoded(),
            ec.getPublic().getEncoded(),
            authority.certificate().getPublicKey().getEncoded());
  }

  @Test
  void saysWhatAFileLacks() throws Exception {
    var edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
    assertThatThrownBy(() -> Pem.publicKeys("hello")).hasMessageContaining("neither");
    assertThatThrownBy(() -> Pem.keyPair("hello")).hasMessage("holds no private key");
    assertThatThrownBy(() -> Pem.privateKey(Pem.of(edwards)))
        .hasMessage("neither an RSA nor an EC key");
    assertThat(Pem.certificates("hello")).isEmpty();
  }
}
