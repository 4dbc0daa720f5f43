package dev.muster.access.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.access.Bearer;
import dev.muster.access.RefusedCredentials;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens that live in secrets, and the days on which they are used. */
class LegacyTokenUseTest {
  private final TokenFixture fixture = new TokenFixture().account("ns", "sa", "u1");
  private String token = "";

  @BeforeEach
  void secret() {
    token =
        LegacyTokens.sign(fixture.tokens.keys(), TokenFixture.object("ns", "sa", "u1"), "sa-token");
    secret(JsonObject.EMPTY);
  }

  private void secret(JsonObject labels) {
    var data = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
    fixture.cluster.put(
        "/secrets",
        TokenFixture.object("ns", "sa-token", "u2")
            .withAt(labels, "metadata", "labels")
            .withAt(Json.of(data), "data", "token"));
  }

  private void use() {
    assertThat(fixture.tokens.authenticate(new Bearer(token), List.of())).isNotNull();
  }

  @Test
  void isToldOnceADay() {
    use();
    use();
    assertThat(fixture.uses).containsExactly("sa-token on 2026-01-01");
    secret(JsonObject.of(LegacyTokenUse.LAST_USED, "2026-01-01"));
    use();
    fixture.now = fixture.now.plus(Duration.ofHours(23));
    use();
    assertThat(fixture.uses).hasSize(1);
    fixture.now = fixture.now.plus(Duration.ofHours(1));
    use();
    use();
    assertThat(fixture.uses).containsExactly("sa-token on 2026-01-01", "sa-token on 2026-01-02");
  }

  @Test
  void isNotToldOfADayThatAServerAheadOfUsHasWrittenDown() {
    secret(JsonObject.of(LegacyTokenUse.LAST_USED, "2026-01-02"));
    use();
    assertThat(fixture.uses).isEmpty();
  }

  @Test
  void isToldOfTokensThatAreInvalidToo() {
    secret(JsonObject.of("kubernetes.io/legacy-token-invalid-since", "2025-12-01"));
    assertThatThrownBy(() -> fixture.tokens.authenticate(new Bearer(token), List.of()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessageContaining("has been marked invalid");
    assertThat(fixture.uses).containsExactly("sa-token on 2026-01-01");
  }
}
