package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Authority;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.authentication.RequestHeaderOptions;
import dev.muster.testing.TestTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a proxy in front of the server, which says in headers who they are. */
class ProxiedUsersTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Authority FRONT = authority();

  /** Of the same name, so that clients show its certificates, too. */
  private static final Authority OTHER = authority();

  private static Authority authority() {
    return Authority.create("front-ca", Instant.now(), DAY);
  }

  @TempDir private static Path folder;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    var authority = Files.writeString(folder.resolve("front.crt"), Pem.of(FRONT.certificate()));
    var headers =
        new RequestHeaderOptions(
            authority,
            List.of("front-proxy"),
            List.of("X-Remote-User"),
            List.of("X-Remote-Uid"),
            List.of("X-Remote-Group"),
            List.of("X-Remote-Extra-"));
    server =
        RunningServer.start(
            folder,
            options ->
                options.withAuthentication(
                    new AuthenticationOptions(
                        null, options.authentication().tokenFile(), true, List.of(), headers)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Identity proxy(Authority authority, String name) {
    return authority.component(name, List.of(), Instant.now(), DAY);
  }

  private static HttpResponse<String> ask(@Nullable Identity shown, String... headers)
      throws Exception {
    var trusted = Pem.certificates(Files.readString(folder.resolve("pki/ca.crt")));
    var tls =
        shown == null
            ? TestTls.trusting(trusted)
            : TestTls.showing(shown.key(), shown.chain(), trusted);
    try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create(
                      "https://127.0.0.1:"
                          + server.port()
                          + "/apis/authentication.k8s.io/v1/selfsubjectreviews"))
              .header("content-type", "application/json")
              .headers(headers)
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"apiVersion\":\"authentication.k8s.io/v1\","
                          + "\"kind\":\"SelfSubjectReview\"}"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void areWhoTheProxySaysTheyAre() throws Exception {
    var answer =
        ask(
            proxy(FRONT, "front-proxy"),
            "x-remote-user",
            "jane",
            "x-remote-group",
            "team",
            "x-remote-extra-scopes",
            "all");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(answer.body())
        .contains(
            "\"username\":\"jane\"", "\"team\"", "system:authenticated", "\"scopes\":[\"all\"]");
  }

  @Test
  void areNobodyWhenTheProxyIsNotBelieved() throws Exception {
    assertThat(ask(proxy(OTHER, "front-proxy"), "x-remote-user", "jane").statusCode())
        .isEqualTo(401);
    assertThat(ask(proxy(FRONT, "somebody"), "x-remote-user", "jane").statusCode()).isEqualTo(401);
    assertThat(ask(null, "x-remote-user", "jane", "x-remote-group", "system:masters").body())
        .doesNotContain("jane");
  }
}
