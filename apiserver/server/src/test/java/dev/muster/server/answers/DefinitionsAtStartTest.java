package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions that are there before the server. */
class DefinitionsAtStartTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String ACCEPTED =
      """
      {"type":"NamesAccepted","status":"True","reason":"NoConflicts",\
      "lastTransitionTime":"2026-01-02T03:04:05Z","message":"no conflicts found"}\
      """;
  private static final String ESTABLISHED =
      """
      {"type":"Established","status":"True","reason":"InitialNamesAccepted",\
      "lastTransitionTime":"2026-01-02T03:04:05Z",\
      "message":"the initial names have been accepted"}\
      """;

  private final MemoryStore store = new MemoryStore();

  private void put(String plural, String schema, String... conditions) {
    var names =
        """
        {"plural":"%1$s","singular":"%1$s","kind":"Kind%1$s","listKind":"List%1$s"}\
        """
            .formatted(plural);
    var definition =
        """
        {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",\
        "metadata":{"name":"%s.example.com","uid":"11111111-2222-3333-4444-555555555555",\
        "generation":1,"creationTimestamp":"2026-01-02T03:04:05Z"},\
        "spec":{"group":"example.com","names":%s,"scope":"Namespaced",\
        "versions":[{"name":"v1","served":true,"storage":true,\
        "schema":{"openAPIV3Schema":%s}}],"conversion":{"strategy":"None"}},\
        "status":{"conditions":[%s],"acceptedNames":%s,"storedVersions":["v1"]}}
        """
            .formatted(plural, names, schema, String.join(",", conditions), names);
    store
        .commit(
            Transaction.of(
                new Operation.Put(
                    "/apiextensions.k8s.io/customresourcedefinitions/" + plural + ".example.com",
                    definition.getBytes(StandardCharsets.UTF_8),
                    0,
                    null)))
        .join();
  }

  private static List<String> conditions(RunningServer server, String plural) {
    return definition(server, plural).object("status").array("conditions").objects().stream()
        .map(condition -> condition.string("type") + "=" + condition.string("status"))
        .toList();
  }

  private static JsonObject definition(RunningServer server, String plural) {
    return server.get(DEFINITIONS + "/" + plural + ".example.com").object();
  }

  @Test
  void allAreToldWhatRemainsToBeSaid(@TempDir Path directory)
      throws IOException, GeneralSecurityException {
    for (int i = 0; i < 20; i++) {
      put("sound" + i, "{\"type\":\"object\"}", ACCEPTED, ESTABLISHED);
    }
    put("zebras", "{\"properties\":{\"a\":{}}}", ACCEPTED, ESTABLISHED);
    put("new", "{\"type\":\"object\"}");
    try (var server = RunningServer.start(directory, store)) {
      Awaitility.await().until(() -> conditions(server, "new").contains("Established=True"));
      Awaitility.await()
          .until(() -> conditions(server, "zebras").contains("NonStructuralSchema=True"));
      for (int i = 0; i < 20; i++) {
        assertThat(conditions(server, "sound" + i))
            .containsExactly("NamesAccepted=True", "Established=True");
        assertThat(definition(server, "sound" + i).object("metadata").has("managedFields"))
            .as("is not written")
            .isFalse();
      }
    } finally {
      store.close();
    }
  }
}
