package dev.muster.authentication.token;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.Audiences;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authorization.FakeCluster;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BootstrapTokenUsersTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";

  private final FakeCluster cluster = new FakeCluster();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final BootstrapTokenUsers tokens =
      new BootstrapTokenUsers(new Audiences(List.of("api")), () -> cluster, () -> now);

  @BeforeEach
  void secret() {
    secret(Map.of());
  }

  private void secret(Map<String, String> changes) {
    var data = new HashMap<String, String>();
    data.put("token-id", "abcdef");
    data.put("token-secret", "0123456789abcdef");
    data.put("usage-bootstrap-authentication", "true");
    data.putAll(changes);
    data.replaceAll(
        (key, value) -> Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    put("bootstrap.kubernetes.io/token", data, "kube-system");
  }

  private void put(String type, Map<String, String> data, String namespace) {
    cluster.put(
        "/secrets",
        TokenFixture.object(namespace, "bootstrap-token-abcdef", "u1")
            .with("type", type)
            .with("data", JsonObject.ofStrings(data)));
  }

  private void assertRefused() {
    assertThatThrownBy(() -> tokens.authenticate(new BearerToken(TOKEN), List.of()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessage("invalid bearer token")
        .satisfies(e -> assertThat(((RefusedCredentials) e).restsOnCluster()).isTrue());
  }

  @Test
  void aTokenIsItsOwnUser() {
    secret(
        Map.of(
            "auth-extra-groups",
            "system:bootstrappers:z,system:bootstrappers:a",
            "expiration",
            "2026-01-01T00:00:00Z"));
    var found = requireNonNull(tokens.authenticate(new BearerToken(TOKEN), List.of("api", "x")));
    assertThat(found.user().name()).isEqualTo("system:bootstrap:abcdef");
    assertThat(found.user().groups())
        .containsExactly(
            "system:bootstrappers",
            "system:bootstrappers:a",
            "system:bootstrappers:z",
            "system:authenticated");
    assertThat(found.audiences()).containsExactly("api");
    assertThat(tokens.authenticate(new BearerToken(TOKEN), List.of("x"))).isNull();
  }

  @Test
  void whatIsNotOfTheFormIsSomebodyElses() {
    for (var other :
        List.of("", "abcdef", "ABCDEF.0123456789abcdef", "abcdef.0123456789abcde", TOKEN + "x")) {
      assertThat(tokens.authenticate(new BearerToken(other), List.of())).as(other).isNull();
    }
  }

  @Test
  void theSecretSaysWhetherItIsGood() {
    for (var wrong :
        List.of(
            Map.of("token-secret", "0123456789abcdeF"),
            Map.of("token-secret", ""),
            Map.of("token-id", "abcdeg"),
            Map.of("usage-bootstrap-authentication", "True"),
            Map.of("usage-bootstrap-authentication", ""),
            Map.of("expiration", "2025-12-31T23:59:59Z"),
            Map.of("expiration", "soon"),
            Map.of("auth-extra-groups", "system:masters"),
            Map.of("auth-extra-groups", "system:bootstrappers:"))) {
      secret(wrong);
      assertRefused();
    }
    secret(Map.of());
    now = now.plusSeconds(1);
    assertThat(tokens.authenticate(new BearerToken(TOKEN), List.of())).isNotNull();
  }

  @Test
  void onlyASecretOfTheRightTypeAndPlaceCounts() {
    put("Opaque", Map.of(), "kube-system");
    assertRefused();
    cluster.put(
        "/secrets",
        TokenFixture.object("kube-system", "bootstrap-token-abcdef", "u1")
            .with("type", "bootstrap.kubernetes.io/token"));
    assertRefused();
  }
}
