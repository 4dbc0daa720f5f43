package dev.muster.store.encrypted.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What other implementations wrote is read. The vectors were made with Python's cryptography
 * (OpenSSL) and, for the secret box, with the arithmetic of its specification in big integers.
 */
class KnownAnswersTest {
  private static final byte[] PATH =
      "/registry/secrets/default/database".getBytes(StandardCharsets.UTF_8);
  private static final byte[] KEY =
      hex("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20");
  private static final byte[] PLAIN =
      hex(
          "6b3873000a0c0a0276311206536563726574000102030405060708090a0b0c0d0e0f1011"
              + "12131415161718191a1b1c1d1e1f2021222324252627");

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static byte[] head(int length) {
    return Arrays.copyOf(KEY, length);
  }

  private static byte[] opened(Transformer transformer, byte[] stored) throws Exception {
    return transformer.fromStorage(stored, 0, PATH).value();
  }

  @Test
  void readsAesCbcWithKeysOfTwoLengths() throws Exception {
    var long32 =
        hex(
            "404142434445464748494a4b4c4d4e4f3c2adc036bc5f761e22b147b58eea2d2f3710f2a"
                + "61c0b9c59be01101bb0ab6edb182913d11ac6187a5f436752866874aaacf634f01dc4539"
                + "6e68585940447925");
    var long16 =
        hex(
            "404142434445464748494a4b4c4d4e4f9cdf31db09723d0cf76b4fa07f8708edffa1c4bc"
                + "9ddb0cae7ec2afa1ea9aebbc8c261cfb1421deb3027bf83364c136a2cff6b34e644976cd"
                + "1c892b6c4f84ca9e");
    assertThat(opened(new AesCbc(KEY), long32)).isEqualTo(PLAIN);
    assertThat(opened(new AesCbc(head(16)), long16)).isEqualTo(PLAIN);
  }

  @Test
  void readsAesGcmWithKeysOfTwoLengthsAtItsOwnPathOnly() throws Exception {
    var long32 =
        hex(
            "606162636465666768696a6b132f1361b1024734da743b8964398fb68dd089ee3c58f0b9"
                + "b56cd9c5e29c2d7e0ef32b7694087ed19aef3a374dc699318b9f6800c3ac156f088029aa"
                + "348bfb8031c6d8eb367025e0bdfc");
    var long24 =
        hex(
            "606162636465666768696a6bd4016ed011cf15c23c7947b0b417e681a1d977861dd11e91"
                + "a385f29f8957aa0a1ead01d33480890b61081e90c64c07ba4c722688c0345c7a2def944a"
                + "7748542c888a2682f62ac64a5705");
    assertThat(opened(new AesGcm(KEY), long32)).isEqualTo(PLAIN);
    assertThat(opened(new AesGcm(head(24)), long24)).isEqualTo(PLAIN);
    var elsewhere = "/registry/secrets/default/other".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> new AesGcm(KEY).fromStorage(long32, 0, elsewhere))
        .isInstanceOf(TransformException.class)
        .hasMessage("cipher: message authentication failed");
  }

  @Test
  void readsWhatASeedEncrypted() throws Exception {
    var seed = hex("6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283");
    var stored =
        hex(
            "969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b560616263"
                + "6465666768696a6bdde5548ae4b7c1bca0d801092aff980d4d95bdf27dd34954c84bcdfc"
                + "1b595e2e425b17ab21762553c8848ed9597dfa7327901048c8f3da50c99977516a6a03fb"
                + "af60aa32e5702e3ad6d4");
    assertThat(opened(new ExtendedNonceGcm(seed), stored)).isEqualTo(PLAIN);
  }

  @Test
  void readsAndMakesTheVeryBytesOfASecretBox() throws Exception {
    var stored =
        hex(
            "808182838485868788898a8b8c8d8e8f909192939495969736c5cf4201980ded5aa2e616"
                + "343db589100d84603befe1c26b4c84868850380d1fde32b54d96d9980138ac934a67e2af"
                + "a59f33ef48949aa12be9c6e49270a9b0a5752e40392b6fd420ee");
    var box = new SecretBox(KEY);
    assertThat(opened(box, stored)).isEqualTo(PLAIN);
    assertThat(box.seal(PLAIN, Arrays.copyOf(stored, 24))).isEqualTo(stored);
    assertThat(box.seal(new byte[0], Arrays.copyOf(stored, 24)))
        .isEqualTo(
            hex(
                "808182838485868788898a8b8c8d8e8f9091929394959697c9c62488982baea22f90101d"
                    + "29856bcb"));
  }

  @Test
  void aSecretBoxOfManyBlocksIsTheSameElsewhere() throws Exception {
    var plain = new byte[1000];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) (i * 7 + 3);
    }
    var nonce = new byte[24];
    for (int i = 0; i < nonce.length; i++) {
      nonce[i] = (byte) (0x80 + i);
    }
    assertThat(MessageDigest.getInstance("SHA-256").digest(new SecretBox(KEY).seal(plain, nonce)))
        .isEqualTo(hex("f65bb53a492e16b25aad1d8e5d9ee92dc2a100133bd4dc58f999fc130bdace07"));
  }

  /** The vector of "Cryptography in NaCl" (D. J. Bernstein, 2009), section 10. */
  @Test
  void theSecretBoxOfItsInventor() {
    var key = hex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389");
    var nonce = hex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
    var plain =
        hex(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf"
                + "33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06d"
                + "ceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c"
                + "60902e52f0a089bc76897040e082f937763848645e0705");
    var sealed =
        hex(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7"
                + "164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2"
                + "270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb373"
                + "2bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74"
                + "e355a5");
    var stored = new SecretBox(key).seal(plain, nonce);
    assertThat(Arrays.copyOfRange(stored, 24, stored.length)).isEqualTo(sealed);
  }

  /** RFC 8439, 2.5.2, and cases of its appendix A.3 where a carry or a reduction may be lost. */
  @Test
  void theTagsOfTheSpecification() {
    assertThat(
            Poly1305.tag(
                hex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"),
                "Cryptographic Forum Research Group".getBytes(StandardCharsets.US_ASCII),
                0))
        .isEqualTo(hex("a8061dc1305136c6c22b8baf0c0127a9"));
    var two = "02" + "00".repeat(15);
    assertThat(Poly1305.tag(hex(two + "00".repeat(16)), hex("ff".repeat(16)), 0))
        .isEqualTo(hex("03" + "00".repeat(15)));
    assertThat(Poly1305.tag(hex(two + "ff".repeat(16)), hex(two), 0))
        .isEqualTo(hex("03" + "00".repeat(15)));
    assertThat(
            Poly1305.tag(
                hex("01" + "00".repeat(31)),
                hex("ff".repeat(16) + "f0" + "ff".repeat(15) + "11" + "00".repeat(15)),
                0))
        .isEqualTo(hex("05" + "00".repeat(15)));
    assertThat(
            Poly1305.tag(
                hex("01" + "00".repeat(31)),
                hex("ff".repeat(16) + "fb" + "fe".repeat(15) + "01".repeat(16)),
                0))
        .isEqualTo(hex("00".repeat(16)));
    assertThat(Poly1305.tag(hex(two + "00".repeat(16)), hex("fd" + "ff".repeat(15)), 0))
        .isEqualTo(hex("fa" + "ff".repeat(15)));
  }

  /** A mutated value is refused; where nothing is authenticated it may be read as another one. */
  @Test
  void whateverIsChangedIsRefusedOrWithoutAnyOtherException() throws Exception {
    var random = new Random(7);
    for (var transformer :
        List.of(new AesGcm(KEY), new SecretBox(KEY), new ExtendedNonceGcm(KEY), new AesCbc(KEY))) {
      for (int round = 0; round < 2_000; round++) {
        var plain = new byte[random.nextInt(200)];
        random.nextBytes(plain);
        var stored = transformer.toStorage(plain, PATH);
        assertThat(transformer.fromStorage(stored, 0, PATH).value()).isEqualTo(plain);
        var mutated = Mutations.of(stored, random);
        try {
          var read = transformer.fromStorage(mutated, 0, PATH).value();
          assertThat(transformer instanceof AesCbc || Arrays.equals(mutated, stored))
              .as("%s read %s bytes", transformer.getClass(), read.length)
              .isTrue();
        } catch (TransformException refused) {
          assertThat(refused.text()).isNotEmpty();
        }
      }
    }
  }
}
