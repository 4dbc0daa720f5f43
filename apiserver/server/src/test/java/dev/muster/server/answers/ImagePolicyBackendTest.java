package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.testing.StubServer;
import dev.muster.testing.TestCertificates;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that asks a real HTTPS server about images, with a client certificate. */
class ImagePolicyBackendTest {
  @TempDir private Path directory;

  private final List<JsonObject> asked = new CopyOnWriteArrayList<>();
  private final List<String> callers = new CopyOnWriteArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private StubServer backend;
  private TestCertificates.Identity identity;

  /** Each test starts its own. */
  @SuppressWarnings("NullAway.Init")
  private RunningServer server;

  @SuppressWarnings("NullAway.Init")
  private String pods;

  @BeforeEach
  void startBackend() throws IOException {
    var clients = new TestCertificates(Files.createDirectory(directory.resolve("clients")));
    identity = clients.issue("image-reviewer");
    backend =
        new StubServer(
            this::answer, List.of("localhost"), Pem.certificates(Pem.read(clients.authority())));
  }

  @AfterEach
  void stop() {
    released.countDown();
    if (server != null) {
      server.close();
    }
    backend.close();
  }

  /** Images that are called bad are refused; about slow ones it thinks for as long as it likes. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
      var images =
          review.object("spec").array("containers").objects().stream()
              .map(container -> container.string("image"))
              .toList();
      asked.add(review.object("spec"));
      callers.add(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
      if (images.contains("slow")) {
        released.await();
      }
      var status =
          images.contains("bad")
              ? JsonObject.of("allowed", false, "reason", "not signed")
              : JsonObject.of("allowed", true);
      StubServer.send(exchange, JsonWriter.bytes(review.with("status", status)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * @param user what the kubeconfig says about the client
   */
  private void start(String settings, String user) throws Exception {
    Files.writeString(
        directory.resolve("images.kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: images
        contexts: [{name: images, context: {cluster: images, user: us}}]
        clusters:
        - name: images
          cluster:
            server: https://127.0.0.1:%d/policy
            certificate-authority-data: %s
        users: [{name: us, user: {%s}}]
        """
            .formatted(backend.port(), backend.authority(), user));
    var file =
        Files.writeString(
            directory.resolve("admission.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: ImagePolicyWebhook
              configuration:
                imagePolicy: {kubeConfigFile: images.kubeconfig, retryBackoff: 1%s}
            """
                .formatted(settings));
    server =
        RunningServer.start(
            directory,
            options ->
                options.withAdmission(
                    new AdmissionOptions(
                        List.of("ImagePolicyWebhook"), List.of("ServiceAccount"), file, 300, 300)));
    pods = "/api/v1/namespaces/" + server.namespace() + "/pods";
  }

  private void start(String settings) throws Exception {
    start(
        settings,
        "client-certificate: %s, client-key: %s".formatted(identity.certificate(), identity.key()));
  }

  private static String pod(String name, String image) {
    return """
    {"metadata":{"name":"%s"},"spec":{"containers":[{"name":"a","image":"%s"}]}}
    """
        .formatted(name, image);
  }

  private RunningServer.Answer patch(String path, String body) {
    return server.patch(pods + path, RunningServer.STRATEGIC, body.replace('\'', '"'));
  }

  @Test
  void podsRunWhatTheBackendAllowsAndNothingElse() throws Exception {
    start("");
    var made = server.post(pods, pod("p", "good"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(callers).containsExactly("CN=image-reviewer");
    assertThat(asked.getFirst().array("containers").object(0).string("image")).isEqualTo("good");
    var refused = server.post(pods, pod("q", "bad"));
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "pods \"q\" is forbidden: image policy webhook backend denied one or more images: not"
                + " signed");
    assertThat(server.get(pods + "/q").code()).isEqualTo(404);
  }

  @Test
  void imagesThatChangeAndEphemeralContainersAreAskedAbout() throws Exception {
    start("");
    server.post(pods, pod("p", "good"));
    var changed = patch("/p", "{'spec':{'containers':[{'name':'a','image':'bad'}]}}");
    assertThat(changed.code()).as(changed.text()).isEqualTo(403);
    assertThat(patch("/p", "{'spec':{'containers':[{'name':'a','image':'better'}]}}").code())
        .isEqualTo(200);
    var debugged =
        patch(
            "/p/ephemeralcontainers",
            "{'spec':{'ephemeralContainers':[{'name':'e','image':'bad'}]}}");
    assertThat(debugged.code()).as(debugged.text()).isEqualTo(403);
    assertThat(asked.getLast().array("containers").size()).as("only what is new").isEqualTo(1);
    assertThat(
            patch(
                    "/p/ephemeralcontainers",
                    "{'spec':{'ephemeralContainers':[{'name':'e','image':'tools'}]}}")
                .code())
        .isEqualTo(200);
    var stored = server.get(pods + "/p").object().object("spec");
    assertThat(stored.array("containers").object(0).string("image")).isEqualTo("better");
    assertThat(stored.array("ephemeralContainers").object(0).string("image")).isEqualTo("tools");
  }

  @Test
  void anAnswerCountsForAWhileEvenWhenTheBackendIsGone() throws Exception {
    start("");
    server.post(pods, pod("p", "good"));
    assertThat(server.post(pods, pod("q", "good")).code()).isEqualTo(201);
    assertThat(asked).hasSize(1);
    backend.close();
    assertThat(server.post(pods, pod("r", "good")).code()).isEqualTo(201);
    var unknown = server.post(pods, pod("s", "other"));
    assertThat(unknown.code()).isEqualTo(403);
    assertThat(unknown.message())
        .startsWith("pods \"s\" is forbidden: Post \"https://127.0.0.1:" + backend.port());
  }

  @Test
  void answersThatCountOnceAreAskedForAgain() throws Exception {
    start(", allowTTL: -1, denyTTL: -1");
    for (var name : List.of("p", "q")) {
      assertThat(server.post(pods, pod(name, "good")).code()).isEqualTo(201);
      assertThat(server.post(pods, pod(name + "-bad", "bad")).code()).isEqualTo(403);
    }
    assertThat(asked).hasSize(4);
  }

  @Test
  void podsRunWithoutABackendWhereTheConfigurationSaysSo() throws Exception {
    start(", defaultAllow: true");
    backend.close();
    assertThat(server.post(pods, pod("p", "good")).code()).isEqualTo(201);
  }

  @Test
  void aBackendThatDoesNotAnswerInTimeRefuses() throws Exception {
    start("");
    var late = server.post(pods + "?timeout=1s", pod("p", "slow"));
    assertThat(late.code()).as(late.text()).isIn(403, 504);
    released.countDown();
    assertThat(server.get(pods + "/p").code()).isEqualTo(404);
  }

  @Test
  void aBackendThatDoesNotKnowTheClientRefuses() throws Exception {
    start("", "token: t");
    var refused = server.post(pods, pod("p", "good"));
    assertThat(refused.code()).as(refused.text()).isEqualTo(403);
    assertThat(asked).isEmpty();
  }
}
