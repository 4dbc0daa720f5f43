package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.server.options.authentication.TokenWebhookOptions;
import dev.muster.testing.TestCertificates;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server elsewhere that knows whose tokens are, on a real socket that wants a certificate. */
class TokenWebhookTest {
  @TempDir private Path folder;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile String last = "";
  private volatile String authorization = "";
  private HttpsServer webhook;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    var certificates = new TestCertificates(folder);
    var server = certificates.issue("webhook");
    var client = certificates.issue("muster");
    webhook = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    var context = context(server, certificates.authority());
    webhook.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            var wanted = context.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    webhook.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    webhook.createContext("/review", this::answer);
    webhook.start();
    kubeconfig =
        Files.writeString(
            folder.resolve("webhook.kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters:
            - name: it
              cluster: {server: "https://localhost:%d/review", certificate-authority: %s}
            users:
            - name: we
              user: {client-certificate: %s, client-key: %s, token: of-the-server}
            contexts:
            - {name: c, context: {cluster: it, user: we}}
            current-context: c
            """
                .formatted(
                    webhook.getAddress().getPort(),
                    certificates.authority().getFileName(),
                    client.certificate(),
                    client.key()));
  }

  @AfterEach
  void stop() {
    held.countDown();
    webhook.stop(0);
  }

  private static SSLContext context(TestCertificates.Identity identity, Path authority) {
    return TestTls.showing(
        Pem.privateKey(Pem.read(identity.key())),
        Pem.certificates(Pem.read(identity.certificate())),
        Pem.certificates(Pem.read(authority)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
      asked.incrementAndGet();
      last = review.toString();
      authorization = exchange.getRequestHeaders().getFirst("Authorization");
      var token = review.object("spec").string("token");
      if (token.equals("slow")) {
        held.await();
      }
      boolean fails = token.equals("flaky") && failures.getAndIncrement() < 1;
      var body =
          JsonObject.of(
                  "kind",
                  token.equals("odd") ? "Pod" : "TokenReview",
                  "apiVersion",
                  review.string("apiVersion"),
                  "status",
                  status(token))
              .toString()
              .getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(fails ? 500 : token.equals("broken") ? 400 : 200, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static JsonObject status(String token) {
    if (token.equals("unknown")) {
      return JsonObject.of("authenticated", false);
    }
    if (token.equals("denied")) {
      return JsonObject.of("authenticated", false, "error", "not today");
    }
    var user =
        JsonObject.of(
            "username",
            "of-" + token,
            "uid",
            "u1",
            "groups",
            JsonArray.ofStrings(List.of("dev")),
            "extra",
            JsonObject.of("a.io/b", JsonArray.ofStrings(List.of("c"))));
    var status = JsonObject.of("authenticated", true, "user", user);
    return token.equals("elsewhere")
        ? status.with("audiences", JsonArray.ofStrings(List.of("vault")))
        : status;
  }

  private RunningServer server(String version) throws Exception {
    return RunningServer.start(
        folder,
        options ->
            options.withAuthentication(
                options
                    .authentication()
                    .withWebhook(
                        new TokenWebhookOptions(kubeconfig, version, Duration.ofMinutes(2)))));
  }

  private static String user(RunningServer server, String token) {
    return server.as(token, "/api/v1/pods").message();
  }

  private static JsonObject review(RunningServer server, String token, String more) {
    return server
        .post(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "{\"spec\":{\"token\":\"" + token + "\"" + more + "}}")
        .object()
        .object("status");
  }

  @Test
  void saysWhoSomebodyIsAndIsAskedOnce() throws Exception {
    try (var server = server("v1")) {
      assertThat(user(server, "good")).contains("User \"of-good\" cannot list");
      assertThat(user(server, "good")).contains("User \"of-good\" cannot list");
      assertThat(asked).hasValue(1);
      assertThat(last)
          .contains(
              "\"apiVersion\":\"authentication.k8s.io/v1\"",
              "\"audiences\":[\"https://kubernetes.default.svc\"]");
      assertThat(authorization).isEqualTo("Bearer of-the-server");
      var status = review(server, "good", "");
      assertThat(status.object("user").object("extra").array("a.io/b").strings())
          .containsExactly("c");
      assertThat(status.object("user").string("uid")).isEqualTo("u1");
      assertThat(status.array("audiences").strings())
          .containsExactly("https://kubernetes.default.svc");
    }
  }

  @Test
  void isAskedInTheOlderVersionToo() throws Exception {
    try (var server = server("v1beta1")) {
      assertThat(user(server, "good")).contains("User \"of-good\"");
      assertThat(last).contains("\"apiVersion\":\"authentication.k8s.io/v1beta1\"");
    }
  }

  @Test
  void whomItDoesNotKnowNobodyKnows() throws Exception {
    try (var server = server("v1")) {
      for (int i = 0; i < 3; i++) {
        assertThat(server.as("unknown", "/version").code()).isEqualTo(401);
      }
      assertThat(asked).hasValue(1);
      assertThat(review(server, "denied", "").string("error"))
          .isEqualTo("[invalid bearer token, not today]");
      assertThat(server.as("elsewhere", "/version").code()).isEqualTo(401);
      var status = review(server, "elsewhere", ",\"audiences\":[\"vault\",\"x\"]");
      assertThat(status.array("audiences").strings()).containsExactly("vault");
    }
  }

  @Test
  void failuresAreRetriedOrToldAndNeverRemembered() throws Exception {
    try (var server = server("v1")) {
      assertThat(user(server, "flaky")).contains("User \"of-flaky\"");
      assertThat(asked).hasValue(2);
      for (var token : List.of("broken", "odd")) {
        assertThat(server.as(token, "/version").code()).isEqualTo(401);
        assertThat(server.as(token, "/version").code()).isEqualTo(401);
      }
      assertThat(asked).hasValue(6);
    }
  }

  @Test
  void requestsThatWaitShareOneQuestionAndHoldUpNobody() throws Exception {
    try (var server = server("v1");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < 20; i++) {
        answers.add(
            CompletableFuture.supplyAsync(() -> server.as("slow", "/version").code(), threads));
      }
      await().until(() -> asked.get() == 1);
      for (int i = 0; i < 50; i++) {
        assertThat(server.get("/version").code()).isEqualTo(200);
      }
      assertThat(answers).noneMatch(CompletableFuture::isDone);
      held.countDown();
      answers.forEach(answer -> assertThat(answer.join()).isEqualTo(200));
      assertThat(asked).hasValue(1);
    }
  }
}
