package dev.muster.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrivateKeysTest {
  /** Version, algorithm, and the head of what PKCS #1 says. */
  private static final int BEFORE_PKCS1 = 26;

  private static final byte[] P256 = HexFormat.of().parseHex("a00a06082a8648ce3d030107");

  @Test
  void readsKeysInAllThreeForms() throws GeneralSecurityException {
    var rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(2048);
    var key = (RSAPrivateKey) rsa.generateKeyPair().getPrivate();
    var wrapped = key.getEncoded();
    assertThat(PrivateKeys.read(wrapped)).isEqualTo(key);
    var bare = Arrays.copyOfRange(wrapped, BEFORE_PKCS1, wrapped.length);
    assertThat(PrivateKeys.read(bare)).isEqualTo(key);

    var elliptic = KeyPairGenerator.getInstance("EC");
    elliptic.initialize(new ECGenParameterSpec("secp256r1"));
    var point = (ECPrivateKey) elliptic.generateKeyPair().getPrivate();
    assertThat(PrivateKeys.read(point.getEncoded())).isEqualTo(point);
    assertThat((ECPrivateKey) PrivateKeys.read(sec1(point)))
        .extracting(ECPrivateKey::getS)
        .isEqualTo(point.getS());
  }

  @Test
  void bytesThatAreNoKeyAreNone() {
    assertThat(PrivateKeys.read(new byte[0])).isNull();
    assertThat(PrivateKeys.read(new byte[] {0x30, 0x05, 0x02, 0x01, 0x01, 0x04, 0x7f})).isNull();
    for (var malformed : List.of("3000", "3003020101", "30050201010400", "3006020101020101")) {
      assertThat(PrivateKeys.read(HexFormat.of().parseHex(malformed))).isNull();
    }
  }

  private static byte[] sec1(ECPrivateKey key) {
    var secret = new byte[32];
    var number = key.getS().toByteArray();
    int length = Math.min(number.length, 32);
    System.arraycopy(number, number.length - length, secret, 32 - length, length);
    var out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0x30, (byte) (3 + 34 + P256.length), 0x02, 0x01, 0x01, 0x04, 32});
    out.writeBytes(secret);
    out.writeBytes(P256);
    return out.toByteArray();
  }
}
