package dev.muster.authentication.token;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TokenRequestsTest {
  private final TokenFixture fixture = new TokenFixture().account("a", "robot", "u1");

  private JsonObject whole(JsonObject request) {
    return new TokenRequests(
            fixture.tokens, Duration.ZERO, true, () -> fixture.now, RandomGenerator.getDefault())
        .create("a", "robot", request, fixture.cluster, fixture.warnings::add);
  }

  @Test
  void answersWithTheDefaultsFilledIn() {
    var answer = fixture.request("a", "robot", JsonObject.EMPTY);
    assertThat(answer.without("status").toString())
        .isEqualTo(
            "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\",\"metadata\":"
                + "{\"name\":\"robot\",\"namespace\":\"a\",\"uid\":\"u1\","
                + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":{\"audiences\":"
                + "[\"https://kubernetes.default.svc\"],\"expirationSeconds\":3600,"
                + "\"boundObjectRef\":null}}");
    assertThat(answer.object("status").string("expirationTimestamp"))
        .isEqualTo("2026-01-01T01:00:00Z");
  }

  @Test
  void anExpirationThatIsLeftOpenIsTheUsualHour() {
    assertThat(TokenRequests.defaults(JsonObject.EMPTY).toString())
        .isEqualTo("{\"spec\":{\"expirationSeconds\":3600}}");
    var given = JsonObject.of("spec", JsonObject.of("expirationSeconds", 0));
    assertThat(TokenRequests.defaults(given)).isEqualTo(given);
  }

  @Test
  void boundsTheExpiration() {
    assertThatThrownBy(() -> fixture.request("a", "robot", JsonObject.of("expirationSeconds", 599)))
        .hasMessage(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
                + " value: 599: may not specify a duration less than 10 minutes");
    assertThatThrownBy(
            () -> fixture.request("a", "robot", JsonObject.of("expirationSeconds", 4294967297L)))
        .hasMessageContaining("may not specify a duration larger than 2^32 seconds");
    fixture.longest = Duration.ofMinutes(20);
    var spec =
        fixture.request("a", "robot", JsonObject.of("expirationSeconds", 5000)).object("spec");
    assertThat(spec.integer("expirationSeconds", 0)).isEqualTo(1200);
    assertThat(fixture.warnings)
        .containsExactly("requested expiration of 5000 seconds shortened to 1200 seconds");
  }

  @Test
  void refusesAnotherNameOrUid() {
    assertThatThrownBy(() -> whole(JsonObject.of("metadata", JsonObject.of("name", "other"))))
        .hasMessage(
            "TokenRequest.authentication.k8s.io \"robot\" is invalid: metadata.name: Invalid value:"
                + " \"other\": must match the service account name if specified");
    assertThatThrownBy(() -> whole(JsonObject.of("metadata", JsonObject.of("namespace", "b"))))
        .hasMessage(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
    assertThatThrownBy(() -> whole(JsonObject.of("metadata", JsonObject.of("uid", "x"))))
        .hasMessage(
            "Operation cannot be fulfilled on TokenRequest.authentication.k8s.io \"robot\": the UID"
                + " in the token request (x) does not match the UID of the service account (u1)");
    assertThatThrownBy(() -> fixture.request("a", "absent", JsonObject.EMPTY))
        .hasMessage("serviceaccounts \"absent\" not found");
  }

  @Test
  void bindsToLivingObjectsOnly() {
    fixture.cluster.put("/secrets", TokenFixture.object("a", "s", "s1"));
    var reference = JsonObject.of("apiVersion", "v1", "kind", "Secret", "name", "s");
    fixture.request("a", "robot", JsonObject.of("boundObjectRef", reference));
    assertThatThrownBy(
            () ->
                fixture.request(
                    "a", "robot", JsonObject.of("boundObjectRef", reference.with("uid", "x"))))
        .hasMessage(
            "Operation cannot be fulfilled on Secret \"s\": the UID in the bound object reference"
                + " (x) does not match the UID in record. The object might have been deleted and"
                + " then recreated")
        .extracting(e -> ((ApiException) e).reason())
        .isEqualTo(Reason.CONFLICT);
    assertThatThrownBy(
            () ->
                fixture.request(
                    "a", "robot", JsonObject.of("boundObjectRef", reference.with("name", "t"))))
        .hasMessage("secrets \"t\" not found");
    assertThatThrownBy(
            () ->
                fixture.request(
                    "a",
                    "robot",
                    JsonObject.of("boundObjectRef", reference.with("kind", "ConfigMap"))))
        .hasMessage("cannot bind token to object of type /v1, Kind=ConfigMap");
    assertThatThrownBy(
            () ->
                fixture.request(
                    "a", "robot", JsonObject.of("boundObjectRef", reference.with("name", "a/b%"))))
        .hasMessage("Name parameter invalid: \"a/b%\": may not contain '/';may not contain '%'");
    assertThatThrownBy(
            () ->
                fixture.request(
                    "a",
                    "robot",
                    JsonObject.of(
                        "boundObjectRef",
                        JsonObject.of("apiVersion", "a/b/c", "kind", "X", "name", "s"))))
        .hasMessage("cannot bind token to object of type /, Kind=X");
  }

  @Test
  void bindsToPodsOfTheSameAccountOnly() {
    fixture.cluster.put(
        "/pods",
        TokenFixture.object("a", "p", "p1")
            .with("spec", JsonObject.of("serviceAccountName", "other")));
    var reference = JsonObject.of("apiVersion", "v1", "kind", "Pod", "name", "p");
    assertThatThrownBy(
            () -> fixture.request("a", "robot", JsonObject.of("boundObjectRef", reference)))
        .hasMessage(
            "cannot bind token for serviceaccount \"robot\" to pod running with different"
                + " serviceaccount name.");
  }

  @Test
  void extendsTheUsualTokenOfAPod() {
    fixture.cluster.put(
        "/pods",
        TokenFixture.object("a", "p", "p1")
            .with("spec", JsonObject.of("serviceAccountName", "robot")));
    var spec =
        JsonObject.of(
            "expirationSeconds",
            3607,
            "boundObjectRef",
            JsonObject.of("apiVersion", "v1", "kind", "Pod", "name", "p"));
    var claims = requireNonNull(Jwt.parse(fixture.token("a", "robot", spec)));
    long issued = claims.claims().integer("iat", 0);
    assertThat(claims.claims().integer("exp", 0)).isEqualTo(issued + 365 * 24 * 3600);
    assertThat(claims.claims().object("kubernetes.io").integer("warnafter", 0))
        .isEqualTo(issued + 3607);
  }
}
