package dev.muster.authentication.jwt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtConfigurationReaderTest {
  private static AuthenticationConfiguration read(String text) {
    return JwtConfigurationReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static String headed(String rest) {
    return "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n" + rest;
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1", "v1alpha1"})
  void readsEveryVersion(String version) {
    var read =
        read(
            """
            apiVersion: apiserver.config.k8s.io/%s
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: https://a.example
                discoveryURL: https://b.example/doc
                audiences: [x, z]
                audienceMatchPolicy: MatchAny
              claimValidationRules:
              - {claim: hd, requiredValue: example.com}
              - {expression: "claims.a == 'b'", message: not so}
              claimMappings:
                username: {claim: sub, prefix: ""}
                groups: {expression: claims.roles}
                uid: {claim: uid}
                extra: [{key: a.io/b, valueExpression: claims.b}]
              userValidationRules: [{expression: "user.username != ''"}]
            anonymous:
              enabled: true
              conditions: [{path: /livez}]
            """
                .formatted(version));
    var jwt = read.jwt().getFirst();
    assertThat(jwt.issuer().audiences()).containsExactly("x", "z");
    assertThat(jwt.issuer().discoveryUrl()).isEqualTo("https://b.example/doc");
    assertThat(jwt.claimValidationRules()).hasSize(2);
    assertThat(jwt.claimMappings().username().prefix()).isEmpty();
    assertThat(jwt.claimMappings().groups().prefix()).isNull();
    assertThat(jwt.claimMappings().extra().getFirst().key()).isEqualTo("a.io/b");
    assertThat(requireNonNull(read.anonymous()).paths()).containsExactly("/livez");
  }

  @Test
  void nothingIsForgiven() {
    assertRefused("", "empty config data");
    assertRefused(
        "kind: AuthenticationConfiguration",
        "Object 'apiVersion' is missing in '{\"kind\":\"AuthenticationConfiguration\"}'");
    assertRefused("apiVersion: v1", "Object 'Kind' is missing in '{\"apiVersion\":\"v1\"}'");
    assertRefused(
        "apiVersion: apiserver.config.k8s.io/v2\nkind: AuthenticationConfiguration",
        "no kind \"AuthenticationConfiguration\" is registered for version"
            + " \"apiserver.config.k8s.io/v2\"");
    assertRefused(
        headed("jwt: [{issuer: {URL: x, urll: y}}]\nmore: 1"),
        "strict decoding error: unknown field \"jwt[0].issuer.URL\", unknown field"
            + " \"jwt[0].issuer.urll\", unknown field \"more\"");
    assertRefused(
        headed("jwt: [{issuer: {url: 7}}]"),
        "json: cannot unmarshal number into field jwt[0].issuer.url of type string");
    assertRefused(headed("jwt: {}"), "json: cannot unmarshal object into field jwt of type slice");
    assertThatThrownBy(() -> read(headed("jwt: []\njwt: []")))
        .hasMessageContaining("strict decoding error: ")
        .hasMessageContaining("already set in map");
    assertThatThrownBy(() -> read("a: [")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEmptyConfigurationSaysNothing() {
    assertThat(read(headed(""))).isEqualTo(AuthenticationConfiguration.NONE);
  }
}
