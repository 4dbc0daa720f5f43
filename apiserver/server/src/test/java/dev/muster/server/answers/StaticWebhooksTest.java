package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiOptions;
import dev.muster.store.MemoryStore;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of one store whose webhooks stand in files, each server with files of its own. */
class StaticWebhooksTest {
  private static final Duration RELOADED = Duration.ofSeconds(60);
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String FAILED_RELOADS =
      "apiserver_manifest_admission_config_controller_automatic_reloads_total{";

  @TempDir private Path directory;
  private final MemoryStore store = new MemoryStore();
  private HookServer hooks;
  private RunningServer first;
  private RunningServer second;

  @BeforeEach
  void start() throws Exception {
    hooks = new HookServer();
    for (var path : List.of("first", "second", "later")) {
      hooks.at(
          "/" + path,
          request ->
              request.string("name").equals("no-" + path)
                  ? json("{'allowed':false,'status':{'message':'by %s'}}".formatted(path))
                  : json("{'allowed':true}"));
    }
    hooks.at("/label", request -> labelled());
    first = server("first");
    second = server("second");
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    hooks.close();
    store.close();
  }

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject labelled() {
    var patch = "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"by\":\"file\"}}]";
    return json("{'allowed':true,'patchType':'JSONPatch'}")
        .with("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
  }

  private String webhook(String kind, String path) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %s
    metadata: {name: guard.static.k8s.io}
    webhooks:
    - name: w.example.com
      clientConfig: %s
      sideEffects: None
      admissionReviewVersions: [v1]
      rules:
      - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
    """
        .formatted(kind, hooks.client(path));
  }

  private Path file(String name) {
    return directory.resolve(name).resolve("validating").resolve("guard.yaml");
  }

  private RunningServer server(String name) throws Exception {
    var own = Files.createDirectory(directory.resolve(name));
    Files.createDirectory(own.resolve("validating"));
    Files.createDirectory(own.resolve("mutating"));
    Files.writeString(file(name), webhook("ValidatingWebhookConfiguration", "/" + name));
    if (name.equals("first")) {
      Files.writeString(
          own.resolve("mutating").resolve("label.yaml"),
          webhook("MutatingWebhookConfiguration", "/label"));
    }
    var plugin =
        """
        - name: %sAdmissionWebhook
          configuration:
            apiVersion: apiserver.config.k8s.io/v1
            kind: WebhookAdmissionConfiguration
            staticManifestsDir: %s
        """;
    var configuration =
        Files.writeString(
            own.resolve("admission.yaml"),
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n"
                + plugin.formatted("Validating", own.resolve("validating"))
                + plugin.formatted("Mutating", own.resolve("mutating")));
    return RunningServer.start(
        own,
        store,
        options ->
            options
                .withAdmission(
                    new AdmissionOptions(
                        List.of(), List.of("ServiceAccount"), configuration, 300, 300))
                .withApi(
                    new ApiOptions(Map.of(), Map.of("ManifestBasedAdmissionControlConfig", true))));
  }

  private static RunningServer.Answer create(RunningServer server, String name) {
    return server.post(
        "/api/v1/namespaces/default/configmaps?dryRun=All",
        "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
  }

  private static void assertRefused(RunningServer server, String path) {
    assertThat(create(server, "no-" + path).message())
        .isEqualTo("admission webhook \"w.example.com\" denied the request: by " + path);
  }

  @Test
  void eachServerAsksTheWebhooksOfItsOwnFiles() {
    assertRefused(first, "first");
    assertRefused(second, "second");
    assertThat(create(second, "no-first").code()).isEqualTo(201);
    var made = create(first, "no-second");
    assertThat(made.code()).isEqualTo(201);
    assertThat(made.object().object("data").string("by")).isEqualTo("file");
    assertThat(create(second, "plain").object().has("data")).isFalse();
    assertThat(hooks.asked)
        .anySatisfy(request -> assertThat(request.string("path")).isEqualTo("/label"));
  }

  @Test
  void aFileThatChangesIsFollowedAndABrokenOneIsReportedAndChangesNothing() throws IOException {
    replace("first", webhook("ValidatingWebhookConfiguration", "/later"));
    await().atMost(RELOADED).untilAsserted(() -> assertRefused(first, "later"));
    assertThat(create(first, "no-first").code()).isEqualTo(201);
    assertThat(failures(first)).isZero();
    replace("first", "kind: Broken");
    await().atMost(RELOADED).until(() -> failures(first) > 0);
    assertRefused(first, "later");
    assertThat(first.get("/readyz").code()).isEqualTo(200);
    assertThat(failures(second)).as("the other's files are whole").isZero();
    Files.delete(file("first"));
    await().atMost(RELOADED).until(() -> create(first, "no-later").code() == 201);
  }

  /** Nobody reads half a file. */
  private void replace(String name, String content) throws IOException {
    var whole = Files.writeString(directory.resolve(name).resolve("new"), content);
    Files.move(
        whole, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static double failures(RunningServer server) {
    return server
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(FAILED_RELOADS) && line.contains("status=\"failure\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void theirNamesAreNotThereInTheApiAndCannotBeTaken() {
    for (var plural : List.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations")) {
      assertThat(first.get(GROUP + plural + "/guard.static.k8s.io").code()).isEqualTo(404);
      var refused = first.post(GROUP + plural, "{\"metadata\":{\"name\":\"guard.static.k8s.io\"}}");
      assertThat(refused.code()).isEqualTo(422);
      assertThat(refused.message()).contains("names ending with \".static.k8s.io\" are reserved");
    }
  }
}
