package dev.muster.validation.certificates;

import static dev.muster.validation.certificates.SignedRequests.pem;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SignedRequestTest {
  private static String problem(byte[] der) {
    return problem(pem("CERTIFICATE REQUEST", der));
  }

  private static String problem(String text) {
    return SignedRequest.problem(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String certificateProblem(String text) {
    return SignedRequest.certificateProblem(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keysOfTheUsualKindsSign() {
    assertThat(problem(SignedRequests.elliptic())).isEmpty();
    assertThat(problem(SignedRequests.request("RSA", "SHA256withRSA", SignedRequests.RSA_SHA256)))
        .isEmpty();
    assertThat(problem(SignedRequests.request("Ed25519", "Ed25519", SignedRequests.ED25519)))
        .isEmpty();
  }

  @Test
  void somebodyElsesSignatureIsRefused() throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    var der =
        SignedRequests.request(
            generator.generateKeyPair(),
            generator.generateKeyPair(),
            "SHA256withECDSA",
            SignedRequests.ECDSA_SHA256);
    assertThat(problem(der)).isEqualTo("x509: ECDSA verification failure");
  }

  @Test
  void brokenAlgorithmsAreRefused() {
    assertThat(problem(SignedRequests.request("RSA", "MD5withRSA", SignedRequests.RSA_MD5)))
        .isEqualTo("x509: cannot verify signature: insecure algorithm MD5-RSA");
  }

  @Test
  void onlyRequestsAreRequests() {
    var wrong = "PEM block type must be CERTIFICATE REQUEST";
    assertThat(problem("hello")).isEqualTo(wrong);
    assertThat(problem("")).isEqualTo(wrong);
    assertThat(problem(pem("CERTIFICATE", SignedRequests.elliptic()))).isEqualTo(wrong);
    assertThat(
            problem("some words first\n" + pem("CERTIFICATE REQUEST", SignedRequests.elliptic())))
        .isEmpty();
  }

  @Test
  void halfARequestIsNone() {
    var der = SignedRequests.elliptic();
    assertThat(problem(Arrays.copyOf(der, der.length / 2)))
        .isEqualTo("asn1: syntax error: data truncated");
    assertThat(problem(Arrays.copyOf(der, der.length + 1)))
        .isEqualTo("asn1: syntax error: trailing data");
    assertThat(problem("hello".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(
            "asn1: structure error: tags don't match (16 vs {class:1 tag:8 length:101"
                + " isCompound:true}) {optional:false explicit:false application:false"
                + " private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false"
                + " omitEmpty:false} certificateRequest @2");
    assertThat(problem(new byte[] {0x30, 0})).isEqualTo("x509: malformed certificate request");
  }

  @Test
  void certificatesStandAlone() {
    assertThat(certificateProblem("")).isEmpty();
    assertThat(certificateProblem("hello"))
        .isEqualTo("must contain at least one CERTIFICATE PEM block");
    assertThat(certificateProblem(pem("PRIVATE KEY", new byte[3])))
        .isEqualTo("only CERTIFICATE PEM blocks are allowed, found \"PRIVATE KEY\"");
    assertThat(certificateProblem(pem("CERTIFICATE", new byte[3])))
        .isEqualTo("x509: malformed certificate");
    assertThat(
            certificateProblem(
                "-----BEGIN CERTIFICATE-----\nA: b\n\nAAAA\n-----END CERTIFICATE-----\n"))
        .isEqualTo("no PEM block headers are permitted");
  }
}
