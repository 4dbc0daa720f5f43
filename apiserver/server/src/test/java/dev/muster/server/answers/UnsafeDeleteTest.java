package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.answers.RunningServer.Answer;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An object that nobody can read is deleted by who may, and only on request. */
@Timeout(120)
class UnsafeDeleteTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String OPTION = "\"ignoreStoreReadErrorWithClusterBreakingPotential\":true";
  private static final String UNSAFE = "{" + OPTION + "}";

  @TempDir private Path folder;
  private final MemoryStore store = new MemoryStore();
  private RunningServer server;

  private RunningServer start(String key, boolean gate) throws Exception {
    var bytes = Arrays.copyOf(key.getBytes(StandardCharsets.UTF_8), 32);
    var file =
        Files.writeString(
            folder.resolve("encryption.yaml"),
            """
            kind: EncryptionConfiguration
            apiVersion: apiserver.config.k8s.io/v1
            resources:
            - resources: [secrets]
              providers: [{aesgcm: {keys: [{name: %s, secret: %s}]}}]
            """
                .formatted(key, Base64.getEncoder().encodeToString(bytes)));
    return RunningServer.start(folder, store, options -> changed(options, file, gate));
  }

  private static ApiServerOptions changed(ApiServerOptions options, Path file, boolean gate) {
    return options
        .withStorage(options.storage().withEncryption(file, false))
        .withApi(new ApiOptions(Map.of(), Map.of("AllowUnsafeMalformedObjectDeletion", gate)));
  }

  private static void create(RunningServer server, String name) {
    var secret = "{\"metadata\":{\"name\":\"" + name + "\",\"finalizers\":[\"example.com/x\"]}}";
    assertThat(server.post(SECRETS, secret).code()).isEqualTo(201);
  }

  @BeforeEach
  void loseAKey() throws Exception {
    try (var before = start("lost", true)) {
      create(before, "victim");
    }
    server = start("other", true);
    create(server, "fine");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Answer deleted(String name, String options) {
    return server.delete(SECRETS + "/" + name, options);
  }

  private void assertStillThere() {
    assertThat(server.get(SECRETS + "/victim").code()).isEqualTo(500);
  }

  @Test
  void whatCannotBeDecryptedIsDeletedOnRequest() {
    assertThat(deleted("victim", "").code()).isEqualTo(500);
    var dry = deleted("victim", "{" + OPTION + ",\"dryRun\":[\"All\"]}");
    assertThat(dry.code()).as(dry.text()).isEqualTo(200);
    assertStillThere();
    var gone = deleted("victim", UNSAFE);
    assertThat(gone.code()).as(gone.text()).isEqualTo(200);
    assertThat(gone.object().string("status")).isEqualTo("Success");
    assertThat(gone.object().object("details").string("name")).isEqualTo("victim");
    assertThat(gone.object().object("details").string("kind")).isEqualTo("Secret");
    assertThat(server.get(SECRETS + "/victim").code()).isEqualTo(404);
    assertThat(server.get(SECRETS).warnings()).isEmpty();
    assertThat(deleted("victim", UNSAFE).code()).isEqualTo(404);
    create(server, "victim");
  }

  @Test
  void whatCannotBeDecodedIsDeletedOnRequest() {
    var damaged = "{\"kind\":\"ConfigMap\",".getBytes(StandardCharsets.UTF_8);
    store
        .commit(Transaction.of(new Operation.Put("/configmaps/default/m", damaged, Operation.ANY)))
        .join();
    var map = "/api/v1/namespaces/default/configmaps/m";
    assertThat(server.get(map).code()).isEqualTo(500);
    assertThat(server.delete(map, "").code()).isEqualTo(500);
    assertThat(server.delete(map, UNSAFE).code()).isEqualTo(200);
    assertThat(server.get(map).code()).isEqualTo(404);
  }

  @Test
  void theQueryMayAskForItAsWell() {
    var path = SECRETS + "/victim?ignoreStoreReadErrorWithClusterBreakingPotential=true";
    assertThat(server.delete(path, "").code()).isEqualTo(200);
    assertThat(server.get(SECRETS + "/victim").code()).isEqualTo(404);
  }

  @Test
  void whatCanBeReadStays() {
    var refused = deleted("fine", UNSAFE);
    assertThat(refused.code()).isEqualTo(409);
    assertThat(refused.message())
        .isEqualTo(
            "Operation cannot be fulfilled on secrets \"fine\": StorageError: invalid object, Code:"
                + " 4, Key: /registry/secrets/default/fine, ResourceVersion: 0,"
                + " AdditionalErrorMsg: unsafe deletion is not allowed because the object is"
                + " decodable from storage");
    assertThat(server.get(SECRETS + "/fine").code()).isEqualTo(200);
  }

  @Test
  void otherOptionsMakeNoSenseWithIt() {
    for (var other :
        Map.of(
                "propagationPolicy", "\"Background\"",
                "orphanDependents", "true",
                "gracePeriodSeconds", "0",
                "preconditions", "{\"uid\":\"x\"}")
            .entrySet()) {
      var options = "{" + OPTION + ",\"" + other.getKey() + "\":" + other.getValue() + "}";
      var refused = deleted("victim", options);
      assertThat(refused.code()).as(options).isEqualTo(422);
      assertThat(refused.message())
          .contains(
              "ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set"
                  + " together with ."
                  + other.getKey());
    }
    var collection = server.delete(SECRETS, UNSAFE);
    assertThat(collection.code()).isEqualTo(422);
    assertThat(collection.message()).contains("is not allowed with DELETECOLLECTION");
    assertStillThere();
  }

  @Test
  void theRightToDeleteIsNotEnough() throws Exception {
    role("[\"delete\"]");
    var binding =
        """
        {"metadata":{"name":"b"},"subjects":[{"kind":"User","name":"jane",
         "apiGroup":"rbac.authorization.k8s.io"}],"roleRef":{"kind":"Role","name":"r",
         "apiGroup":"rbac.authorization.k8s.io"}}
        """;
    var bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    assertThat(server.post(bindings, binding).code()).isEqualTo(201);
    var refused = asJane();
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .contains("not permitted to do \\\"unsafe-delete-ignore-read-errors\\\", reason: ");
    assertStillThere();
    role("[\"delete\",\"unsafe-delete-ignore-read-errors\"]");
    assertThat(asJane().statusCode()).isEqualTo(200);
    assertThat(server.get(SECRETS + "/victim").code()).isEqualTo(404);
  }

  private void role(String verbs) {
    var role =
        """
        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"},
         "rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":%s}]}
        """
            .formatted(verbs);
    var path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/r";
    var applied = server.patch(path + "?fieldManager=t&force=true", RunningServer.APPLY, role);
    assertThat(applied.code()).as(applied.text()).isIn(200, 201);
  }

  private HttpResponse<String> asJane() throws Exception {
    return server.as("jane", "DELETE", SECRETS + "/victim", UNSAFE).get(30, TimeUnit.SECONDS);
  }

  @Test
  void withoutTheGateNobodyIsHeard() throws Exception {
    server.close();
    server = start("other", false);
    assertThat(deleted("victim", UNSAFE).code()).isEqualTo(500);
    assertThat(deleted("victim", "{" + OPTION + ",\"gracePeriodSeconds\":0}").code())
        .isEqualTo(500);
    assertThat(deleted("fine", UNSAFE).code()).isEqualTo(200);
    assertStillThere();
  }
}
