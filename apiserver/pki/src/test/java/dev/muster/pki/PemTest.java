package dev.muster.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
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
    var pkcs1 = SubjectPublicKeyInfo.getInstance(rsa.getPublic().getEncoded()).parsePublicKey();
    var text =
        Pem.of(rsa.getPublic())
            + traditional(ec)
            + block("EC PARAMETERS", new byte[0])
            + Pem.of(authority.certificate())
            + block("RSA PUBLIC KEY", pkcs1.getEncoded());
    assertThat(Pem.publicKeys(text))
        .extracting(key -> (Object) key.getEncoded())
        .containsExactly(
            rsa.getPublic().getEncoded(),
            ec.getPublic().getEncoded(),
            authority.certificate().getPublicKey().getEncoded(),
            rsa.getPublic().getEncoded());
  }

  @Test
  void saysWhatAFileLacks() throws Exception {
    var edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
    assertThatThrownBy(() -> Pem.publicKeys("hello")).hasMessageContaining("neither");
    assertThatThrownBy(() -> Pem.keyPair("hello")).hasMessage("holds no private key");
    assertThatThrownBy(() -> Pem.privateKey(Pem.of(edwards)))
        .hasMessage("neither an RSA nor an EC key");
    assertThatThrownBy(() -> Pem.keyPair(Pem.of(edwards)))
        .hasMessage("neither an RSA nor an EC key");
    assertThatThrownBy(() -> Pem.privateKey(block("PRIVATE KEY", new byte[] {1, 2})))
        .hasMessage("not a private key");
    assertThatThrownBy(() -> Pem.publicKeys(block("PUBLIC KEY", new byte[] {1, 2})))
        .hasMessage("not a public key");
    assertThatThrownBy(() -> Pem.privateKey(block("ENCRYPTED PRIVATE KEY", new byte[] {1})))
        .hasMessage("the private key is encrypted");
    assertThat(Pem.certificates("hello")).isEmpty();
  }

  @Test
  void aBundleIsNotTakenForAPartOfIt() {
    var authority = Authority.create("x", Instant.now(), Duration.ofDays(1));
    var text = Pem.of(authority.certificate());
    assertThat(Pem.certificates("words\n" + text + Pem.of(authority.key()) + text)).hasSize(2);
    assertThat(Pem.certificates(text.replace("\n", "\r\n"))).hasSize(1);
    assertThat(Pem.certificates("# " + text.replace("\n", "\n# ") + "\n" + text)).hasSize(1);
    assertThatThrownBy(() -> Pem.certificates(text + text.substring(0, 100)))
        .hasMessage("a CERTIFICATE block that cannot be read");
    assertThatThrownBy(() -> Pem.certificates(text + text.replace("-\nM", "-\nA: b\n\nM")))
        .hasMessage("a CERTIFICATE block that cannot be read");
    assertThatThrownBy(() -> Pem.certificates(block("CERTIFICATE", new byte[] {1, 2})))
        .hasMessageStartingWith("not a certificate: ");
  }

  /** Whoever decides about a request and whoever signs it read the same one. */
  @Test
  void onlyTheFirstBlockIsTheRequest() throws Exception {
    var masters = block("CERTIFICATE REQUEST", request("O=system:masters"));
    var jane = block("CERTIFICATE REQUEST", request("CN=jane"));
    for (var pem : List.of(jane + masters, "x" + masters + jane, "words\n" + jane)) {
      var read = Pem.certificateRequest(pem.getBytes(StandardCharsets.US_ASCII));
      assertThat(read.getSubject()).hasToString("CN=jane");
    }
    var decoy = block("CERTIFICATE REQUEST", new byte[] {1, 2});
    for (var pem : List.of("", block("X", new byte[0]) + decoy)) {
      assertThatThrownBy(() -> Pem.certificateRequest(pem.getBytes(StandardCharsets.US_ASCII)))
          .hasMessage("PEM block type must be CERTIFICATE REQUEST");
    }
    assertThatThrownBy(() -> Pem.certificateRequest(decoy.getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("PEM block type");
  }

  private static byte[] request(String subject) throws Exception {
    var keys = GeneratedKeys.p256();
    return new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), keys.getPublic())
        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
        .getEncoded();
  }

  private static String block(String type, byte[] content) {
    return new PemBlock(type, false, content).text();
  }
}
