package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.authentication.OidcOptions;
import dev.muster.testing.OpenIdProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of an OpenID provider, as a running server knows them. */
class OpenIdUsersTest {
  private static final String RELOADS =
      "apiserver_authentication_config_controller_automatic_reloads_total";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private static String configuration(OpenIdProvider provider, String prefix) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: AuthenticationConfiguration
    jwt:
    - issuer:
        url: %s
        audiences: [kubernetes]
        certificateAuthority: |
    %s
      claimMappings:
        username: {claim: sub, prefix: "%s"}
        groups: {claim: groups, prefix: ""}
        uid: {claim: sub}
        extra: [{key: example.com/tenant, valueExpression: "claims.?tenant.orValue('none')"}]
    anonymous:
      enabled: true
      conditions: [{path: /livez}]
    """
        .formatted(provider.issuer(), provider.authority().indent(6), prefix);
  }

  private RunningServer server(Path file) throws Exception {
    return RunningServer.start(
        folder,
        options ->
            options.withAuthentication(options.authentication().withConfigurationFile(file)));
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("authentication.yaml"), content);
  }

  private static JsonObject review(RunningServer server, String token, String more) {
    return server
        .post(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "{\"spec\":{\"token\":\"" + token + "\"" + more + "}}")
        .object()
        .object("status");
  }

  private static void awaitUser(RunningServer server, String token) {
    await().atMost(PATIENCE).until(() -> server.as(token, "/version").code() == 200);
  }

  @Test
  void reviewsShowWhoSomebodyIs() throws Exception {
    try (var provider = OpenIdProvider.start(folder);
        var server = server(file(configuration(provider, "oidc:")))) {
      var token = provider.token(Map.of("groups", List.of("dev"), "tenant", "t1"));
      awaitUser(server, token);
      var status = review(server, token, "");
      assertThat(status.isTrue("authenticated")).isTrue();
      assertThat(status.array("audiences").strings())
          .containsExactly("https://kubernetes.default.svc");
      var user = status.object("user");
      assertThat(user.string("username")).isEqualTo("oidc:jane");
      assertThat(user.string("uid")).isEqualTo("jane");
      assertThat(user.array("groups").strings()).containsExactly("dev", "system:authenticated");
      assertThat(user.object("extra").array("example.com/tenant").strings()).containsExactly("t1");
      var other = review(server, token, ",\"audiences\":[\"other\"]");
      assertThat(other.isTrue("authenticated")).isFalse();
      var wrong = review(server, provider.token(Map.of("aud", "other")), "");
      assertThat(wrong.string("error"))
          .contains("invalid bearer token", "oidc: expected audience \"kubernetes\" got");
      assertThat(server.as(token, "/api/v1/pods").message())
          .contains("User \"oidc:jane\" cannot list resource \"pods\"");
      assertThat(server.as(provider.token(Map.of("aud", "other")), "/version").code())
          .isEqualTo(401);
      assertThat(server.get("/metrics").text())
          .contains(
              "authentication_attempts{result=\"success\"}",
              "authentication_token_cache_request_total{status=\"hit\"}",
              "authentication_token_cache_fetch_total{status=\"ok\"}",
              "authentication_token_cache_active_fetch_count{status=\"in_flight\"} 0.0",
              "authenticated_user_requests{username=\"admin\"}",
              "apiserver_authentication_jwt_authenticator_latency_seconds_count",
              "apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info",
              "apiserver_authentication_config_controller_last_config_info");
    }
  }

  @Test
  void strangersMayOnlyAskWhatTheFileSays() throws Exception {
    try (var provider = OpenIdProvider.start(folder);
        var server = server(file(configuration(provider, "")))) {
      assertThat(server.anonymously("/livez").code()).isEqualTo(200);
      assertThat(server.anonymously("/version").code()).isEqualTo(401);
      assertThat(server.anonymously("/livez/ping").code()).isEqualTo(401);
    }
  }

  @Test
  void aProviderThatComesLaterIsFound() throws Exception {
    try (var provider = OpenIdProvider.absent(folder);
        var server = server(file(configuration(provider, "")))) {
      var token = provider.token(Map.of());
      assertThat(server.as(token, "/version").code()).isEqualTo(401);
      assertThat(review(server, token, "").string("error"))
          .contains("oidc: authenticator not initialized");
      assertThat(server.get("/api/v1/namespaces").code()).isEqualTo(200);
      provider.begin();
      awaitUser(server, token);
    }
  }

  @Test
  void aFileThatChangesIsReadAgainAndABadOneIsNot() throws Exception {
    try (var provider = OpenIdProvider.start(folder)) {
      var file = file(configuration(provider, "a:"));
      try (var server = server(file)) {
        var token = provider.token(Map.of());
        awaitUser(server, token);
        assertThat(name(server, token)).isEqualTo("a:jane");
        file("jwt: [");
        await().atMost(PATIENCE).until(() -> reloads(server, "failure") == 1);
        assertThat(name(server, token)).isEqualTo("a:jane");
        file(configuration(provider, "x:").replace("/livez", "/readyz"));
        await().atMost(PATIENCE).until(() -> reloads(server, "failure") == 2);
        assertThat(name(server, token)).isEqualTo("a:jane");
        file(configuration(provider, "b:"));
        await().atMost(PATIENCE).until(() -> name(server, token).equals("b:jane"));
        assertThat(reloads(server, "success")).isEqualTo(1);
      }
    }
  }

  private static String name(RunningServer server, String token) {
    return review(server, token, "").object("user").string("username");
  }

  private static double reloads(RunningServer server, String status) {
    return server
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(RELOADS) && line.contains("\"" + status + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElse(0);
  }

  @Test
  void flagsNameOneProvider() throws Exception {
    try (var provider = OpenIdProvider.start(folder);
        var server =
            RunningServer.start(
                folder,
                options ->
                    options.withAuthentication(
                        options
                            .authentication()
                            .withOidc(
                                new OidcOptions(
                                    provider.issuer(),
                                    "kubernetes",
                                    provider.authorityFile(),
                                    "sub",
                                    null,
                                    "groups",
                                    "g:",
                                    List.of("RS256"),
                                    List.of("hd=x.com")))))) {
      var token = provider.token(Map.of("groups", "dev", "hd", "x.com"));
      awaitUser(server, token);
      var user = review(server, token, "").object("user");
      assertThat(user.string("username")).isEqualTo(provider.issuer() + "#jane");
      assertThat(user.array("groups").strings()).contains("g:dev");
      assertThat(server.as(provider.token(Map.of()), "/version").code()).isEqualTo(401);
    }
  }
}
