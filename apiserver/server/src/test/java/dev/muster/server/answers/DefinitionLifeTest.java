package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of definitions and their objects, by two servers on one store at once. */
class DefinitionLifeTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final MemoryStore store = new MemoryStore();
  private RunningServer one;
  private RunningServer two;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    var first = Files.createDirectory(directory.resolve("one"));
    one = RunningServer.start(first, store);
    two = RunningServer.start(first, store);
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    store.close();
  }

  private static String definition(String plural, String kind) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
     "metadata":{"name":"%s.example.com"},
     "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"%s","kind":"%s"},
      "versions":[{"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
         "spec":{"type":"object","properties":{"color":{"type":"string"}}}}}}}]}}
    """
        .formatted(plural, plural, kind);
  }

  private static List<String> conditions(JsonObject definition) {
    return definition.object("status").array("conditions").objects().stream()
        .map(
            condition ->
                condition.string("type")
                    + "="
                    + condition.string("status")
                    + " "
                    + condition.string("reason"))
        .toList();
  }

  private JsonObject when(String name, String condition) {
    return Awaitility.await()
        .until(
            () -> one.get(DEFINITIONS + "/" + name + ".example.com").object(),
            definition -> conditions(definition).contains(condition));
  }

  @Test
  void aDefinitionIsEstablishedAndLeftAlone() {
    assertThat(one.post(DEFINITIONS, definition("widgets", "Widget")).code()).isEqualTo(201);
    var told = when("widgets", "Established=True InitialNamesAccepted");
    assertThat(conditions(told))
        .containsExactly("NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted");
    assertThat(told.object("status").object("acceptedNames"))
        .isEqualTo(
            JsonObject.of(
                "plural", "widgets",
                "singular", "widget",
                "kind", "Widget",
                "listKind", "WidgetList"));
    assertThat(told.object("status").array("storedVersions").strings()).containsExactly("v1");
    assertThat(told.object("metadata").integer("generation", 0)).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      two.post(DEFINITIONS, definition("others" + i, "Other" + i));
      when("others" + i, "Established=True InitialNamesAccepted");
    }
    assertThat(when("widgets", "Established=True InitialNamesAccepted")).isEqualTo(told);
  }

  @Test
  void aNameIsGivenOnceAndHandedOnWhenItsOwnerGoes() {
    one.post(DEFINITIONS, definition("widgets", "Thing"));
    two.post(DEFINITIONS, definition("gadgets", "Thing"));
    when("widgets", "Established=True InitialNamesAccepted");
    var refused = when("gadgets", "NamesAccepted=False ListKindConflict");
    assertThat(conditions(refused)).contains("Established=False NotAccepted");
    two.delete(DEFINITIONS + "/widgets.example.com", "{}");
    when("gadgets", "Established=True InitialNamesAccepted");
  }

  @Test
  void aDefinitionTakesItsObjectsWithIt() {
    one.post(DEFINITIONS, definition("widgets", "Widget"));
    when("widgets", "Established=True InitialNamesAccepted");
    var widgets = "/apis/example.com/v1/namespaces/" + one.namespace() + "/widgets";
    for (int i = 0; i < 250; i++) {
      var widget =
          """
          {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w%d"%s}}
          """
              .formatted(i, i == 7 ? ",\"finalizers\":[\"example.com/keep\"]" : "");
      assertThat(one.post(widgets, widget).code()).isEqualTo(201);
    }
    var marked = one.delete(DEFINITIONS + "/widgets.example.com", "{}");
    assertThat(marked.code()).isEqualTo(200);
    assertThat(conditions(marked.object())).contains("Terminating=True InstanceDeletionPending");
    Awaitility.await()
        .until(() -> one.get(widgets).object().array("items").size(), left -> left == 1);
    when("widgets", "Terminating=True InstanceDeletionInProgress");
    one.patch(widgets + "/w7", RunningServer.MERGE, "{\"metadata\":{\"finalizers\":null}}");
    Awaitility.await().until(() -> one.get(DEFINITIONS + "/widgets.example.com").code() == 404);
    Awaitility.await().until(() -> two.get(DEFINITIONS + "/widgets.example.com").code() == 404);
    assertThat(one.get(widgets).code()).isEqualTo(404);
    // What comes after it under the same name finds nothing of it.
    one.post(DEFINITIONS, definition("widgets", "Widget"));
    when("widgets", "Established=True InitialNamesAccepted");
    assertThat(one.get(widgets).object().array("items").isEmpty()).isTrue();
  }

  @Test
  void aDefinitionStaysWhileNobodyCanReadOneOfItsObjects() {
    one.post(DEFINITIONS, definition("widgets", "Widget"));
    when("widgets", "Established=True InitialNamesAccepted");
    var lost =
        "{\"apiVersion\":\"example.com/v0\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"lost\"}}";
    var key = "/example.com/widgets/" + one.namespace() + "/lost";
    store
        .commit(
            Transaction.of(new Operation.Put(key, lost.getBytes(StandardCharsets.UTF_8), 0, null)))
        .join();
    one.delete(DEFINITIONS + "/widgets.example.com", "{}");
    var kept = when("widgets", "Terminating=True InstanceDeletionFailed");
    assertThat(kept.object("status").toString()).contains("could not list instances: ", key);
    store.commit(Transaction.of(new Operation.Delete(key, Operation.ANY))).join();
    Awaitility.await().until(() -> one.get(DEFINITIONS + "/widgets.example.com").code() == 404);
  }

  @Test
  void aWatchSeesItsObjectsGoWithTheirDefinition() throws Exception {
    one.post(DEFINITIONS, definition("widgets", "Widget"));
    when("widgets", "Established=True InitialNamesAccepted");
    var widgets = "/apis/example.com/v1/namespaces/" + one.namespace() + "/widgets";
    var widget =
        """
        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}}
        """;
    assertThat(one.post(widgets, widget).code()).isEqualTo(201);
    var opened = one.open(HttpClient.Version.HTTP_1_1, "GET", widgets + "?watch=true");
    try (var events =
        new BufferedReader(
            new InputStreamReader(
                opened.get(20, TimeUnit.SECONDS).body(), StandardCharsets.UTF_8))) {
      assertThat(events.readLine()).startsWith("{\"type\":\"ADDED\"");
      assertThat(one.delete(DEFINITIONS + "/widgets.example.com", "{}").code()).isEqualTo(200);
      assertThat(events.readLine()).startsWith("{\"type\":\"DELETED\"");
      assertThat(events.readLine()).as("the end of the watch").isNull();
    }
  }

  @Test
  void aGroupHasAnApiServiceWhileItIsServed() {
    var service = "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com";
    one.post(DEFINITIONS, definition("widgets", "Widget"));
    one.post(DEFINITIONS, definition("gadgets", "Gadget"));
    Awaitility.await().until(() -> two.get(service).code() == 200);
    assertThat(two.get(service).object().object("spec").string("version")).isEqualTo("v1");

    one.delete(service, "");
    Awaitility.await().until(() -> two.get(service).code() == 200);

    one.delete(DEFINITIONS + "/widgets.example.com", "");
    Awaitility.await().until(() -> one.get(DEFINITIONS + "/widgets.example.com").code() == 404);
    assertThat(two.get(service).code()).as("of the other definition").isEqualTo(200);
    one.delete(DEFINITIONS + "/gadgets.example.com", "");
    Awaitility.await().until(() -> two.get(service).code() == 404);
  }
}
