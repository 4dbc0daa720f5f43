package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authentication.ClientCertificates;
import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authentication.RequestAuthenticator.Known;
import dev.muster.authentication.RequestAuthenticator.Refused;
import dev.muster.authentication.StaticTokens;
import dev.muster.http.ErrorRenderer;
import dev.muster.http.HttpExchange;
import dev.muster.http.ServerResponse;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.server.chain.Authentication;
import dev.muster.server.metrics.AuthenticationMetrics;
import dev.muster.testing.TestTls;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a client's certificate costs, and whom: verifications are counted, and happen only when the
 * test lets them.
 */
class CertificateConnectionsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Authority authority = Authority.create("ca", Instant.now(), DAY);
  private final Authority stranger = Authority.create("stranger", Instant.now(), DAY);
  private final LinkedBlockingQueue<Runnable> verifications = new LinkedBlockingQueue<>();
  private HttpServer server;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    var tokens = Files.writeString(folder.resolve("tokens.csv"), "secret,jane,1\n");
    var authentication =
        new Authentication(
            new RequestAuthenticator(List.of(StaticTokens.of(tokens, List.of("api"))), true),
            new ClientCertificates(List.of(authority.certificate()), Clock.systemUTC()),
            null,
            verifications::add,
            new AuthenticationMetrics(new PrometheusRegistry()));
    var identity =
        authority.server("server", CertificateNames.ofServer("", List.of()), Instant.now(), DAY);
    server =
        HttpServer.start(
            new HttpServerOptions(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                TlsOptions.of(new TlsMaterial(identity.chain(), identity.key())),
                HttpLimits.standard(),
                1,
                ErrorRenderer.plainText()),
            exchange -> answer(exchange, authentication));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void answer(HttpExchange exchange, Authentication authentication) {
    authentication
        .evaluate(exchange)
        .thenAccept(
            verdict -> {
              var text =
                  switch (verdict) {
                    case Known known -> known.user().name();
                    case Refused _ -> "refused";
                  };
              exchange.respond(
                  ServerResponse.of(200, "text/plain", text.getBytes(StandardCharsets.UTF_8)));
            });
  }

  private HttpClient client(@Nullable Identity identity, HttpClient.Version version)
      throws Exception {
    var trusted = List.of(authority.certificate());
    var tls =
        identity == null
            ? TestTls.trusting(trusted)
            : TestTls.showing(identity.key(), identity.chain(), trusted);
    return HttpClient.newBuilder().version(version).sslContext(tls).build();
  }

  private CompletableFuture<String> ask(HttpClient client, @Nullable String token) {
    var request =
        HttpRequest.newBuilder(
            URI.create("https://127.0.0.1:" + server.addresses().getFirst().getPort() + "/"));
    if (token != null) {
      request.header("authorization", "Bearer " + token);
    }
    return client
        .sendAsync(request.build(), BodyHandlers.ofString())
        .thenApply(answer -> answer.body());
  }

  private void verifyOne() throws InterruptedException {
    verifications.take().run();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aRefusedCertificateIsRefusedAtEveryRequestWithoutNewWork(HttpClient.Version version)
      throws Exception {
    var mallory = stranger.client("mallory", List.of("system:masters"), Instant.now(), DAY);
    try (var client = client(mallory, version)) {
      var first = ask(client, null);
      verifyOne();
      assertThat(first.get()).isEqualTo("refused");
      for (int i = 0; i < 20; i++) {
        assertThat(ask(client, null).get()).isEqualTo("refused");
        assertThat(ask(client, "wrong").get()).isEqualTo("refused");
        assertThat(ask(client, "secret").get()).isEqualTo("jane");
      }
      assertThat(verifications).isEmpty();
    }
  }

  @Test
  void requestsThatComeTogetherWaitForOneVerification() throws Exception {
    var joe = authority.component("joe", List.of(), Instant.now(), DAY);
    try (var client = client(joe, HttpClient.Version.HTTP_2)) {
      var answers = new ArrayList<CompletableFuture<String>>();
      answers.add(ask(client, null));
      var verification = verifications.take();
      for (int i = 0; i < 20; i++) {
        answers.add(ask(client, i % 2 == 0 ? "secret" : null));
      }
      verification.run();
      for (var answer : answers) {
        assertThat(answer.get()).isEqualTo("joe");
      }
      assertThat(verifications).isEmpty();
    }
  }

  @Test
  void aGoodCertificateIsKnownOnTheNextConnection() throws Exception {
    var joe = authority.component("joe", List.of(), Instant.now(), DAY);
    try (var first = client(joe, HttpClient.Version.HTTP_2);
        var second = client(joe, HttpClient.Version.HTTP_2)) {
      var answer = ask(first, null);
      verifyOne();
      assertThat(answer.get()).isEqualTo("joe");
      assertThat(ask(second, null).get()).isEqualTo("joe");
      assertThat(verifications).isEmpty();
    }
  }

  /** There is one event loop, and the verification of another's certificate never ends. */
  @Test
  void bystandersDoNotWaitForAnothersCertificate() throws Exception {
    var mallory = stranger.client("mallory", List.of(), Instant.now(), DAY);
    try (var slow = client(mallory, HttpClient.Version.HTTP_2);
        var bystander = client(null, HttpClient.Version.HTTP_2)) {
      var waiting = ask(slow, null);
      var verification = verifications.take();
      assertThat(ask(bystander, "secret").get()).isEqualTo("jane");
      assertThat(waiting).isNotDone();
      verification.run();
      assertThat(waiting.get()).isEqualTo("refused");
    }
  }
}
