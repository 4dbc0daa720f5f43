package dev.muster.authentication.token;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.TokenCache;
import dev.muster.authentication.TokenHash;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.GeneratedKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class ServiceAccountTokensTest {
  private final TokenFixture fixture = new TokenFixture().account("a", "robot", "u1");

  private static JsonObject boundTo(String kind, String name) {
    return JsonObject.of(
        "boundObjectRef", JsonObject.of("apiVersion", "v1", "kind", kind, "name", name));
  }

  private AbstractThrowableAssert<?, ?> assertRefused(String token) {
    return assertThatThrownBy(() -> fixture.tokens.authenticate(new BearerToken(token), List.of()))
        .isInstanceOf(RefusedCredentials.class);
  }

  @Test
  void knowsItsOwnTokens() {
    var token = fixture.token("a", "robot", JsonObject.EMPTY);
    var found = requireNonNull(fixture.tokens.authenticate(new BearerToken(token), List.of()));
    var user = found.user();
    assertThat(user.name()).isEqualTo("system:serviceaccount:a:robot");
    assertThat(user.uid()).isEqualTo("u1");
    assertThat(user.groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated");
    assertThat(user.extra()).containsOnlyKeys("authentication.kubernetes.io/credential-id");
    assertThat(found.audiences()).containsExactly(TokenFixture.ISSUER);
    assertThat(fixture.tokens.authenticate(new BearerToken(token), List.of())).isSameAs(found);
  }

  @Test
  void saysNothingAboutOtherPeoplesTokens() {
    for (var token : List.of("bogus", "a.b.c", "..", "a.b", "a.b.c.d", "{\"a\":\".\"}")) {
      assertThat(fixture.tokens.authenticate(new BearerToken(token), List.of())).isNull();
    }
    var foreign =
        new TokenKeys(TokenFixture.KEY, List.of()).sign(JsonObject.of("iss", "https://x"));
    assertThat(fixture.tokens.authenticate(new BearerToken(foreign), List.of())).isNull();
  }

  @Test
  void refusesForgedTokens() {
    var token = fixture.token("a", "robot", JsonObject.EMPTY);
    int dot = token.lastIndexOf('.');
    var forged = token.substring(0, dot + 1) + "AAAA" + token.substring(dot + 5);
    assertRefused(forged).hasMessageContaining("cryptographic primitive");

    var claims = JsonObject.of("iss", TokenFixture.ISSUER);
    var stranger = new TokenKeys(GeneratedKeys.p256(), List.of()).sign(claims);
    assertRefused(stranger).hasMessage("invalid signature, no keys found");

    var none = encode("{\"alg\":\"none\"}") + "." + encode(claims.toString()) + ".";
    assertRefused(none);
    var confused =
        encode("{\"alg\":\"HS256\"}") + "." + encode(claims.toString()) + "." + encode("x");
    assertRefused(confused);
  }

  private static String encode(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void expiresAfterItsTimeAndAMinute() {
    var token = fixture.token("a", "robot", JsonObject.of("expirationSeconds", 600));
    fixture.now = fixture.now.plusSeconds(659);
    assertThat(fixture.tokens.authenticate(new BearerToken(token), List.of())).isNotNull();
    fixture.now = fixture.now.plusSeconds(2);
    assertRefused(token).hasMessage("service account token has expired");
  }

  @Test
  void diesWithItsAccount() {
    var token = fixture.token("a", "robot", JsonObject.EMPTY);
    fixture.tokens.authenticate(new BearerToken(token), List.of());
    fixture.cluster.remove("/serviceaccounts", "a", "robot");
    assertRefused(token).hasMessage("serviceaccounts \"robot\" not found");
    fixture.account("a", "robot", "u2");
    assertRefused(token).hasMessage("service account UID (u2) does not match claim (u1)");
    fixture.account("a", "robot", "u1");
    assertThat(fixture.tokens.authenticate(new BearerToken(token), List.of())).isNotNull();
  }

  @Test
  void diesWithTheObjectItIsBoundTo() {
    fixture.cluster.put("/secrets", TokenFixture.object("a", "s", "s1"));
    var token = fixture.token("a", "robot", boundTo("Secret", "s"));
    fixture.tokens.authenticate(new BearerToken(token), List.of());
    fixture.cluster.remove("/secrets", "a", "s");
    assertRefused(token).hasMessage("service account token has been invalidated");
    fixture.cluster.put("/secrets", TokenFixture.object("a", "s", "s2"));
    assertRefused(token)
        .hasMessage("secret UID (s2) does not match service account secret ref claim (s1)");
  }

  @Test
  void outlivesAPodsDeletionByAMinute() {
    var pod =
        TokenFixture.object("a", "p", "p1")
            .with("spec", JsonObject.of("serviceAccountName", "robot", "nodeName", "n"));
    fixture.cluster.put("/pods", pod).put("/minions", TokenFixture.object("", "n", "n1"));
    var token = fixture.token("a", "robot", boundTo("Pod", "p"));
    var found = requireNonNull(fixture.tokens.authenticate(new BearerToken(token), List.of()));
    assertThat(found.user().extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
        .containsEntry("authentication.kubernetes.io/pod-uid", List.of("p1"))
        .containsEntry("authentication.kubernetes.io/node-name", List.of("n"))
        .containsEntry("authentication.kubernetes.io/node-uid", List.of("n1"));
    var going =
        pod.withAt(
            Json.of(Timestamps.format(fixture.now.plusSeconds(30))),
            "metadata",
            "deletionTimestamp");
    fixture.cluster.put("/pods", going);
    assertThat(fixture.tokens.authenticate(new BearerToken(token), List.of())).isNotNull();
    fixture.now = fixture.now.plusSeconds(91);
    assertRefused(token).hasMessage("service account token has been invalidated");
  }

  @Test
  void isGoodForItsAudiencesOnly() {
    var spec = JsonObject.of("audiences", JsonArray.ofStrings(List.of("vault")));
    var token = fixture.token("a", "robot", spec);
    assertRefused(token)
        .hasMessage(
            "token audiences [\"vault\"] is invalid for the target audiences"
                + " [\"https://kubernetes.default.svc\"]");
    var found =
        requireNonNull(fixture.tokens.authenticate(new BearerToken(token), List.of("x", "vault")));
    assertThat(found.audiences()).containsExactly("vault");
  }

  @Test
  void takesTokensOfOlderKeys() {
    var token = fixture.token("a", "robot", JsonObject.EMPTY);
    var rotated =
        fixture.tokens(new TokenKeys(GeneratedKeys.p256(), List.of(TokenFixture.KEY.getPublic())));
    assertThat(rotated.authenticate(new BearerToken(token), List.of())).isNotNull();
  }

  @Test
  void signsWithCurvesToo() {
    var tokens = fixture.tokens(new TokenKeys(GeneratedKeys.p256(), List.of()));
    var token =
        new TokenRequests(tokens, Duration.ZERO, false, () -> fixture.now, new Random(1))
            .create("a", "robot", JsonObject.EMPTY, fixture.cluster, fixture.warnings::add)
            .object("status")
            .string("token");
    assertThat(tokens.authenticate(new BearerToken(token), List.of())).isNotNull();
    var config = tokens.keys().openIdConfiguration("https://i", "https://i/openid/v1/jwks");
    assertThat(config.toString())
        .isEqualTo(
            "{\"issuer\":\"https://i\",\"jwks_uri\":\"https://i/openid/v1/jwks\","
                + "\"response_types_supported\":[\"id_token\"],"
                + "\"subject_types_supported\":[\"public\"],"
                + "\"id_token_signing_alg_values_supported\":[\"ES256\"]}");
    var jwk = tokens.keys().jwks().array("keys").object(0);
    assertThat(jwk.keys()).containsExactly("use", "kty", "kid", "crv", "alg", "x", "y");
    assertThat(Base64.getUrlDecoder().decode(jwk.string("x"))).hasSize(32);
  }

  @Test
  void takesTokensFromSecretsWhileTheSecretHoldsThem() {
    var account = TokenFixture.object("a", "robot", "u1");
    var token = LegacyTokens.sign(fixture.tokens.keys(), account, "s");
    var secret =
        TokenFixture.object("a", "s", "s1").with("data", JsonObject.of("token", base64(token)));
    assertRefused(token).hasMessage("Token has been invalidated");
    fixture.cluster.put("/secrets", secret);
    var found = requireNonNull(fixture.tokens.authenticate(new BearerToken(token), List.of()));
    assertThat(found.user().name()).isEqualTo("system:serviceaccount:a:robot");
    assertThat(found.user().extra()).isEmpty();
    assertThat(fixture.counted).containsExactly("manual");
    fixture.cluster.put("/secrets", secret.with("data", JsonObject.of("token", base64("other"))));
    assertRefused(token).hasMessage("Token does not match server's copy");
    var marked = JsonObject.of("kubernetes.io/legacy-token-invalid-since", "2026-01-01");
    fixture.cluster.put("/secrets", secret.withAt(marked, "metadata", "labels"));
    assertRefused(token).hasMessageContaining("has been marked invalid");
    assertThat(fixture.counted).containsExactly("manual", "invalidated");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void remembersABoundedNumberOfTokens() {
    var cache = new TokenCache<TokenHash, String>(10);
    var kept = TokenHash.of("kept");
    cache.put(kept, "kept");
    for (int i = 0; i < 1000; i++) {
      cache.put(TokenHash.of("t" + i), "x");
      assertThat(cache.get(kept)).isEqualTo("kept");
      assertThat(cache.size()).isLessThanOrEqualTo(12);
    }
  }
}
