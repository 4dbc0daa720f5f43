package dev.muster.controllers.bootstrap;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class BootstrapTokensTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject token(String id, String signing, String expiration) {
    return token(id, "0123456789abcdef", signing, expiration);
  }

  private static JsonObject token(String id, String secret, String signing, String expiration) {
    return object(
        """
        type: bootstrap.kubernetes.io/token
        metadata: {name: bootstrap-token-%s}
        data:
          token-id: %s
          token-secret: %s
          usage-bootstrap-signing: %s
          expiration: '%s'
        """
            .formatted(id, base64(id), base64(secret), base64(signing), base64(expiration)));
  }

  @Test
  void everyTokenThatMaySignsAndOldSignaturesGo() {
    var data = object("{kubeconfig: text, jws-kubeconfig-gone00: old}");
    var signed =
        BootstrapTokens.signed(
            data,
            List.of(
                token("abcdef", "true", ""),
                token("silent", "false", ""),
                token("over00", "true", "2025-12-31T00:00:00Z")),
            NOW);
    assertThat(signed.keys()).containsExactly("kubeconfig", "jws-kubeconfig-abcdef");
    var parts = signed.string("jws-kubeconfig-abcdef").split("\\.", -1);
    assertThat(parts).hasSize(3);
    assertThat(parts[1]).isEmpty();
    assertThat(new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8))
        .isEqualTo("{\"alg\":\"HS256\",\"kid\":\"abcdef\"}");
    assertThat(BootstrapTokens.signed(signed, List.of(token("abcdef", "true", "")), NOW))
        .isEqualTo(signed);
  }

  @Test
  void aSecretOfAnyFormSignsAndNoneDoesNot() {
    var data = object("{kubeconfig: text}");
    var tokens =
        List.of(token("abcdef", "tokenSecret", "true", ""), token("nosec0", "", "true", ""));
    assertThat(BootstrapTokens.signed(data, tokens, NOW).keys())
        .containsExactly("kubeconfig", "jws-kubeconfig-abcdef");
  }

  @Test
  void aTokenEndsWhenItSays() {
    assertThat(BootstrapTokens.expires(token("abcdef", "true", ""))).isEmpty();
    assertThat(BootstrapTokens.expires(token("abcdef", "true", "2026-01-01T01:00:00+01:00")))
        .contains(NOW);
    assertThat(BootstrapTokens.expires(token("abcdef", "true", "soon"))).contains(Instant.EPOCH);
  }
}
