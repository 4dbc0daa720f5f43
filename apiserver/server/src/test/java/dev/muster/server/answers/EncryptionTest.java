package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients see of encryption at rest: nothing, until a key is missing. */
@Timeout(120)
class EncryptionTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";

  @TempDir private Path directory;
  private final MemoryStore store = new MemoryStore();

  private static String key(String name) {
    var bytes = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 32);
    return "{name: %s, secret: %s}".formatted(name, Base64.getEncoder().encodeToString(bytes));
  }

  private UnaryOperator<ApiServerOptions> encrypted(String resources, String providers)
      throws IOException {
    var file = directory.resolve("encryption.yaml");
    Files.writeString(
        file,
        """
        kind: EncryptionConfiguration
        apiVersion: apiserver.config.k8s.io/v1
        resources:
        - resources: [%s]
          providers: [%s]
        """
            .formatted(resources, providers));
    return options -> options.withStorage(options.storage().withEncryption(file, false));
  }

  private RunningServer start(String resources, String providers) throws Exception {
    return RunningServer.start(directory, store, encrypted(resources, providers));
  }

  private String stored(String key) {
    try (var image = store.image()) {
      for (var entry : image) {
        if (entry.key().equals(key)) {
          return new String(entry.value(), StandardCharsets.ISO_8859_1);
        }
      }
    }
    return "";
  }

  private static String secret(String name) {
    return "{\"metadata\":{\"name\":\"%s\"},\"stringData\":{\"password\":\"hush\"}}"
        .formatted(name);
  }

  @Test
  void anEmptyPatchWritesAgainWhatIsNotOfTheFirstKeyAndNothingElse() throws Exception {
    try (var server = RunningServer.start(directory, store)) {
      assertThat(server.post(SECRETS, secret("a")).code()).isEqualTo(201);
      assertThat(stored("/secrets/default/a")).startsWith("{");
    }
    try (var server = start("secrets", "{aescbc: {keys: [" + key("one") + "]}}, {identity: {}}")) {
      var before = server.get(SECRETS + "/a");
      var patched = server.patch(SECRETS + "/a", RunningServer.MERGE, "{}");
      assertThat(patched.code()).isEqualTo(200);
      assertThat(stored("/secrets/default/a")).startsWith("k8s:enc:aescbc:v1:one:");
      assertThat(version(patched)).isNotEqualTo(version(before));
      var again = server.patch(SECRETS + "/a", RunningServer.MERGE, "{}");
      assertThat(version(again)).isEqualTo(version(patched));
      var dry = server.patch(SECRETS + "/a?dryRun=All", RunningServer.MERGE, "{}");
      assertThat(dry.code()).isEqualTo(200);
      assertThat(server.get(SECRETS + "/a").text()).contains("aHVzaA==");
    }
    try (var server =
        start(
            "secrets",
            "{aesgcm: {keys: [" + key("two") + "]}}, {aescbc: {keys: [" + key("one") + "]}}")) {
      assertThat(server.get(SECRETS + "/a").text()).contains("aHVzaA==");
      var put = server.put(SECRETS + "/a", server.get(SECRETS + "/a").text());
      assertThat(put.code()).isEqualTo(200);
      assertThat(stored("/secrets/default/a")).startsWith("k8s:enc:aesgcm:v1:two:");
      assertThat(
              server.metric(
                  "apiserver_storage_transformation_operations_total{resource=\"secrets\","
                      + "status=\"OK\",transformation_type=\"to_storage\","
                      + "transformer_prefix=\"k8s:enc:aesgcm:v1:\"}"))
          .isEqualTo(1);
      assertThat(server.get("/metrics").text())
          .contains("apiserver_encryption_config_controller_last_config_info{");
    }
  }

  private static String version(RunningServer.Answer answer) {
    return answer.object().object("metadata").string("resourceVersion");
  }

  @Test
  void withoutTheKeyASecretIsNamedAndEverythingElseGoesOn() throws Exception {
    try (var server = start("secrets", "{secretbox: {keys: [" + key("one") + "]}}")) {
      server.post(SECRETS, secret("lost"));
    }
    try (var server =
        start("secrets", "{secretbox: {keys: [" + key("two") + "]}}, {identity: {}}")) {
      server.post(SECRETS, secret("found"));
      var lost = server.get(SECRETS + "/lost");
      assertThat(lost.code()).isEqualTo(500);
      assertThat(lost.message())
          .contains("unable to transform key \"/registry/secrets/default/lost\"")
          .contains("no matching key was found for the provided Secretbox transformer");
      assertThat(lost.text()).doesNotContain("k8s:enc:");
      assertThat(server.get(SECRETS + "/found").code()).isEqualTo(200);
      var list = server.get(SECRETS);
      assertThat(list.object().array("items").size()).isEqualTo(1);
      assertThat(list.warnings()).hasSize(1).first().asString().contains("default/lost");
      assertThat(server.patch(SECRETS + "/lost", RunningServer.MERGE, "{}").code()).isEqualTo(500);
      assertThat(server.get("/api/v1/namespaces/default/configmaps").code()).isEqualTo(200);
    }
    try (var server = RunningServer.start(directory, store)) {
      assertThat(server.get(SECRETS + "/lost").message())
          .contains("identity transformer tried to read encrypted data");
    }
  }

  @Test
  void everythingWithAnApiIsEncryptedAndWhatHasNoneIsNot() throws Exception {
    try (var server = start("'*.*'", "{aesgcm: {keys: [" + key("one") + "]}}")) {
      var crd =
          """
          {"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com",
          "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
          "scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":
          {"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
          """;
      assertThat(server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd).code())
          .isEqualTo(201);
      var widgets = "/apis/example.com/v1/namespaces/default/widgets";
      await()
          .until(
              () ->
                  server
                      .post(
                          widgets,
                          "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":"
                              + "{\"name\":\"w\"},\"spec\":{\"plain\":\"text\"}}")
                      .code(),
              code -> code == 201);
      server.post(
          "/api/v1/namespaces/default/services",
          "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80}]}}");
      assertThat(server.get(widgets + "/w").text()).contains("\"plain\":\"text\"");
    }
    try (var image = store.image()) {
      for (var entry : image) {
        var value = new String(entry.value(), StandardCharsets.ISO_8859_1);
        boolean internal =
            entry.key().startsWith("/ranges/") || entry.key().startsWith("/deciding-objects");
        assertThat(value.startsWith("k8s:enc:aesgcm:v1:one:")).as(entry.key()).isEqualTo(!internal);
      }
    }
    try (var server = start("'*.*'", "{aesgcm: {keys: [" + key("one") + "]}}")) {
      assertThat(server.get("/apis/example.com/v1/namespaces/default/widgets/w").text())
          .contains("\"plain\":\"text\"");
      assertThat(server.get("/api/v1/namespaces/default/services/s").code()).isEqualTo(200);
    }
  }

  @Test
  void aValueOfAnotherServerIsShownToWatchersInTheClear() throws Exception {
    try (var one = start("secrets", "{aesgcm: {keys: [" + key("one") + "]}}");
        var two = start("secrets", "{aesgcm: {keys: [" + key("one") + "]}}")) {
      var before = two.get(SECRETS).object().object("metadata").string("resourceVersion");
      one.post(SECRETS, secret("shared"));
      var events =
          two.get(SECRETS + "?watch=true&timeoutSeconds=1&resourceVersion=" + before).text();
      assertThat(events).contains("aHVzaA==").contains("\"type\":\"ADDED\"");
    }
  }

  /** A value without its key that somebody deletes in the store is gone. */
  @Test
  void anUnreadableObjectThatGoesIsGone() throws Exception {
    try (var server = start("secrets", "{secretbox: {keys: [" + key("one") + "]}}")) {
      server.post(SECRETS, secret("lost"));
    }
    try (var server = start("secrets", "{secretbox: {keys: [" + key("two") + "]}}")) {
      assertThat(server.get(SECRETS + "/lost").code()).isEqualTo(500);
      store
          .commit(Transaction.of(new Operation.Delete("/secrets/default/lost", Operation.ANY)))
          .join();
      await().until(() -> server.get(SECRETS + "/lost").code() == 404);
      assertThat(server.post(SECRETS, secret("lost")).code()).isEqualTo(201);
    }
  }

  @Test
  void aServerWithoutItsPluginServesWhatNeedsNoneAndSaysThatItIsNotReady() throws Exception {
    var kms =
        "{kms: {apiVersion: v2, name: vault, timeout: 500ms, endpoint: 'unix://%s'}}"
            .formatted(directory.resolve("nobody.sock"));
    try (var server = start("secrets", kms)) {
      var ready = server.get("/readyz?verbose");
      assertThat(ready.code()).isEqualTo(500);
      assertThat(ready.text()).contains("[-]kms-providers failed: ");
      var alone = server.get("/healthz/kms-providers");
      assertThat(alone.code()).isEqualTo(500);
      assertThat(alone.text()).startsWith("internal server error: ").contains("vault");
      assertThat(server.get("/livez/kms-providers").code()).isEqualTo(404);
      assertThat(server.get("/livez").code()).as("a restart mends no plug-in").isEqualTo(200);
      assertThat(server.get("/readyz?exclude=kms-providers").code()).isEqualTo(200);
      var refused = server.post(SECRETS, secret("a"));
      assertThat(refused.code()).isEqualTo(500);
      assertThat(refused.message()).contains("failed to encrypt secrets").contains("vault");
      assertThat(
              server
                  .post("/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"m\"}}")
                  .code())
          .isEqualTo(201);
      assertThat(server.get("/metrics").text())
          .contains(
              "apiserver_envelope_encryption_kms_operations_latency_seconds_count{"
                  + "grpc_status_code=\"DeadlineExceeded\",method_name="
                  + "\"/v2.KeyManagementService/Status\",provider_name=\"vault\"}");
    }
  }

  @Test
  void aFileThatCannotBeUsedEndsTheStartByItsFlag() throws Exception {
    assertThatThrownBy(() -> start("secrets", "{aesgcm: {keys: [{name: a, secret: AAAA}]}}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--encryption-provider-config: error while parsing file:"
                + " resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: \"REDACTED\":"
                + " secret is not of the expected length, got 3, expected one of [16 24 32]");
    assertThatThrownBy(() -> start("secrets", "{kms: {name: a, endpoint: 'unix:///x'}}"))
        .hasMessageContaining("KMSv1 is deprecated");
    assertThatThrownBy(() -> start("secrets, '*.*'", "{identity: {}}"))
        .hasMessageContaining("using overlapping resources");
  }
}
