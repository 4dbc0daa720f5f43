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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A type that comes, changes and goes while the server runs, through the handlers of all types. */
class DynamicTypesTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String DEFINITION = DEFINITIONS + "/widgets.example.com";
  private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

  private static final String AGGREGATED =
      "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io";

  private final WatchedDefinitions definitions = new WatchedDefinitions();
  private final MemoryStore store = new MemoryStore();
  private RunningServer server;
  private String widgets;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory, store, Map.of(), webhooks -> definitions);
    widgets = "/apis/example.com/v1/namespaces/" + server.namespace() + "/widgets";
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private static String definition(String columns) {
    return
"""
{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
 "metadata":{"name":"widgets.example.com"},
 "spec":{"group":"example.com","scope":"Namespaced",
  "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList","shortNames":["wi"]},
  "versions":[{"name":"v1","served":true,"storage":true,
   "additionalPrinterColumns":[%s],
   "selectableFields":[{"jsonPath":".spec.color"}],
   "schema":{"openAPIV3Schema":{"type":"object","properties":{
     "spec":{"type":"object","properties":{"color":{"type":"string"},"size":{"type":"string"}}}}}}}]}}
"""
        .formatted(columns);
  }

  private static String column(String name, String path) {
    return "{\"name\":\"%s\",\"type\":\"string\",\"jsonPath\":\"%s\"}".formatted(name, path);
  }

  private static String widget(String name, String color) {
    return """
    {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},
     "spec":{"color":"%s"}}\
    """
        .formatted(name, color);
  }

  /** The widget in the version of that object. */
  private static String versioned(String color, JsonObject object) {
    return widget("w1", color)
        .replace(
            "\"w1\"",
            "\"w1\",\"resourceVersion\":\"%s\""
                .formatted(object.object("metadata").string("resourceVersion")));
  }

  private void define() {
    var made = server.post(DEFINITIONS, definition(column("Color", ".spec.color")));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  /** It is gone when its objects are. */
  private void undefine() {
    assertThat(server.delete(DEFINITION, "").code()).isEqualTo(200);
    Awaitility.await().until(() -> server.get(DEFINITION).code() == 404);
  }

  private void redefine(String columns) {
    var changed =
        server.patch(
            DEFINITION,
            RunningServer.JSON_PATCH,
            "[{\"op\":\"replace\",\"path\":\"/spec/versions/0/additionalPrinterColumns\",\"value\":["
                + columns
                + "]}]");
    assertThat(changed.code()).as(changed.text()).isEqualTo(200);
  }

  private JsonObject table() {
    return server.send("GET", widgets, "", TABLE, new byte[0]).object();
  }

  private static List<String> columns(JsonObject table) {
    return table.array("columnDefinitions").objects().stream().map(c -> c.string("name")).toList();
  }

  /** The whole of a watch, as soon as it has ended. */
  private CompletableFuture<String> watch(String query) {
    return CompletableFuture.supplyAsync(
        () -> server.get(widgets + "?watch=true&timeoutSeconds=50" + query).text());
  }

  private void awaitOpenWatch() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                server
                    .get("/metrics")
                    .text()
                    .lines()
                    .anyMatch(
                        line ->
                            line.startsWith("apiserver_longrunning_requests")
                                && line.contains("resource=\"widgets\"")
                                && line.endsWith(" 1.0")));
  }

  @Test
  void whatCustomResourcesDoNotDoIsRefusedInTheirOwnWords() {
    define();
    assertThat(server.put(widgets, widget("w1", "blue")).text()).contains("name must be provided");
    var cluster = "/apis/example.com/v1/widgets";
    assertThat(server.delete(cluster, "").text()).isEqualTo("404 page not found\n");
    assertThat(server.post(widgets, "{\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"}}").text())
        .contains("the API version in the data () does not match the expected API version");
    assertThat(server.send("GET", widgets, "", "text/html", new byte[0]).text())
        .contains("only the following media types are accepted: application/json,");
    assertThat(server.send("GET", widgets, "", "application/*", new byte[0]).code()).isEqualTo(200);
    assertThat(
            server
                .send(
                    "GET",
                    widgets,
                    "",
                    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
                    new byte[0])
                .text())
        .contains("is a list (*unstructured.UnstructuredList)");
  }

  @Test
  void aTypeIsServedFromTheMomentItsDefinitionIsAcknowledged() {
    assertThat(server.get(widgets).code()).isEqualTo(404);
    assertThat(server.post(widgets, widget("w1", "red")).code()).isEqualTo(404);
    define();
    var created = server.post(widgets, widget("w1", "red"));
    assertThat(created.code()).as(created.text()).isEqualTo(201);
    server.post(widgets, widget("w2", "blue"));
    assertThat(server.get(widgets + "/w1").object().object("spec").string("color"))
        .isEqualTo("red");
    var list = server.get(widgets).object();
    assertThat(list.string("kind")).isEqualTo("WidgetList");
    assertThat(list.array("items").size()).isEqualTo(2);
    assertThat(server.get(widgets + "?fieldSelector=spec.color=blue").object().array("items"))
        .hasSize(1);
    assertThat(server.get(widgets + "?fieldSelector=spec.size=1").code()).isEqualTo(400);
    assertThat(columns(table())).containsExactly("Name", "Color");
    assertThat(table().array("rows").object(0).array("cells").strings())
        .containsExactly("w1", "red");
  }

  @Test
  void aTypeIsWrittenByTheHandlersOfAllTypes() {
    define();
    server.post(widgets, widget("w1", "red"));
    var merged =
        server.patch(widgets + "/w1", RunningServer.MERGE, "{\"spec\":{\"size\":\"big\"}}");
    assertThat(merged.object().object("spec").string("size")).isEqualTo("big");
    var applied =
        server.patch(
            widgets + "/w1?fieldManager=m&force=true", RunningServer.APPLY, widget("w1", "green"));
    assertThat(applied.code()).as(applied.text()).isEqualTo(200);
    assertThat(applied.object().object("spec").string("color")).isEqualTo("green");
    assertThat(applied.object().object("metadata").array("managedFields").toString())
        .contains("\"manager\":\"m\"", "f:color");
    assertThat(server.put(widgets + "/w1", widget("w1", "white")).code()).isEqualTo(422);
    var put = server.put(widgets + "/w1", versioned("white", applied.object()));
    assertThat(put.code()).as(put.text()).isEqualTo(200);
    assertThat(server.put(widgets + "/w1", versioned("white", put.object())).object())
        .isEqualTo(put.object());
    var disowned =
        server.patch(widgets + "/w1", RunningServer.MERGE, "{\"metadata\":{\"managedFields\":[]}}");
    assertThat(disowned.object().object("metadata").has("managedFields")).isFalse();
    assertThat(server.delete(widgets + "/w1", "").code()).isEqualTo(200);
    assertThat(server.get(widgets + "/w1").code()).isEqualTo(404);
  }

  /** As kube-apiserver does; kinds that are built in are named without. */
  @Test
  void aggregatedDiscoveryNamesTheGroupAndVersionOfCustomKinds() {
    define();
    var groups =
        server.send("GET", "/apis", "", AGGREGATED, new byte[0]).object().array("items").objects();
    var custom =
        groups.stream()
            .filter(group -> group.object("metadata").string("name").equals("example.com"))
            .findFirst()
            .orElseThrow();
    var resource = custom.array("versions").object(0).array("resources").object(0);
    assertThat(resource.object("responseKind"))
        .isEqualTo(JsonObject.of("group", "example.com", "version", "v1", "kind", "Widget"));
  }

  @Test
  void discoveryAndOpenApiKnowATypeAtOnceAndForgetItAtOnce() {
    var apps = server.exchange("GET", "/openapi/v3/apis/apps/v1", "*/*", "");
    var appsTag = apps.headers().firstValue("etag").orElseThrow();
    var groups = server.exchange("GET", "/apis", "application/json", "");
    define();
    assertThat(server.get("/apis").text()).contains("\"example.com\"");
    assertThat(server.exchange("GET", "/apis", "application/json", "").headers().map())
        .doesNotContainEntry("etag", groups.headers().allValues("etag"));
    var resources = server.get("/apis/example.com/v1").object().array("resources").object(0);
    assertThat(resources.string("name")).isEqualTo("widgets");
    assertThat(resources.array("shortNames").strings()).containsExactly("wi");
    assertThat(server.get("/openapi/v3").object().object("paths").keys())
        .contains("apis/example.com/v1", "apis/apps/v1");
    assertThat(server.get("/openapi/v3/apis/example.com/v1").text())
        .contains("com.example.v1.Widget");
    assertThat(server.get("/openapi/v2").text()).contains("com.example.v1.Widget");
    assertThat(server.exchange("GET", "/openapi/v3/apis/apps/v1", "*/*", appsTag).statusCode())
        .isEqualTo(304);
    undefine();
    assertThat(server.get("/apis").text()).doesNotContain("\"example.com\"");
    assertThat(server.get("/apis/example.com/v1").code()).isEqualTo(404);
    assertThat(server.get("/openapi/v3").text()).doesNotContain("example.com");
    assertThat(server.get("/openapi/v2").text()).doesNotContain("com.example.v1.Widget");
  }

  @Test
  void aWatchEndsProperlyWhenItsTypeGoes() throws Exception {
    define();
    var watch = watch("");
    awaitOpenWatch();
    server.post(widgets, widget("w1", "red"));
    server.delete(widgets + "/w1", "");
    undefine();
    var told = watch.get(20, TimeUnit.SECONDS);
    assertThat(told.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("{\"type\":\"ADDED\""),
            line -> assertThat(line).startsWith("{\"type\":\"DELETED\""));
    assertThat(server.get(widgets).code()).isEqualTo(404);
  }

  @Test
  void aWatchEndsWhenItsTypeChangesAndTheNextOneSeesTheChange() throws Exception {
    define();
    server.post(widgets, widget("w1", "red"));
    var watch = watch("");
    awaitOpenWatch();
    redefine(column("Size", ".spec.size"));
    assertThat(watch.get(20, TimeUnit.SECONDS)).doesNotContain("ERROR");
    assertThat(columns(table())).containsExactly("Name", "Size");
    assertThat(server.get(widgets + "?watch=true&timeoutSeconds=1").text()).contains("\"w1\"");
  }

  @Test
  void objectsThatSomebodyLeftBehindWaitForTheirTypeToComeBack() {
    define();
    server.post(widgets, widget("w1", "red"));
    // Past all servers, as a tool of the store would do it.
    store
        .commit(
            Transaction.of(
                new Operation.Delete(
                    "/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com",
                    Operation.ANY)))
        .join();
    assertThat(server.get(widgets + "/w1").code()).isEqualTo(404);
    define();
    assertThat(server.get(widgets + "/w1").object().object("spec").string("color"))
        .isEqualTo("red");
  }

  @Test
  void nothingKeepsATypeThatIsGone() throws Exception {
    define();
    server.post(widgets, widget("w1", "red"));
    var watch = watch("");
    awaitOpenWatch();
    table();
    server.get("/apis/example.com/v1");
    server.get("/openapi/v2");
    server.get("/openapi/v3/apis/example.com/v1");
    server.patch(widgets + "/w1", RunningServer.MERGE, "{\"spec\":{\"size\":\"big\"}}");
    redefine(column("Size", ".spec.size"));
    server.get(widgets);
    undefine();
    watch.get(20, TimeUnit.SECONDS);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(definitions.made)
                  .hasSizeGreaterThanOrEqualTo(2)
                  .allSatisfy(type -> assertThat(type.get()).isNull());
            });
  }

  @Test
  void bodiesOfTypesThatAreNotThereAreRefusedByName() {
    define();
    var wrong =
        server.send(
            "POST",
            widgets,
            RunningServer.JSON,
            RunningServer.JSON,
            widget("w1", "red")
                .replace("\"Widget\"", "\"Gadget\"")
                .getBytes(StandardCharsets.UTF_8));
    assertThat(wrong.code()).isEqualTo(422);
    assertThat(wrong.message()).contains("kind: Invalid value: \"Gadget\": must be Widget");
  }

  @Test
  void acrossNamespacesThereIsNothingButListsAndWatches() {
    define();

    var all = "/apis/example.com/v1/widgets";
    assertThat(server.get(all).code()).isEqualTo(200);
    assertThat(server.post(all, widget("w1", "red")).code()).isEqualTo(404);
    assertThat(server.delete(all, "").code()).isEqualTo(404);
  }

  @Test
  void documentsNameTheFieldsThatSelectorsMayName() {
    define();

    var schemas = server.get("/openapi/v3/apis/example.com/v1").object().object("components");
    for (var kind : List.of("Widget", "WidgetList")) {
      assertThat(schemas.object("schemas", "com.example.v1." + kind).toString())
          .contains("\"x-kubernetes-selectable-fields\":[{\"fieldPath\":\"spec.color\"}]");
    }
  }

  @Test
  void numbersInSchemasHaveTheirNormalForm() {
    var made =
        server.post(
            DEFINITIONS,
            definition("")
                .replace(
                    "\"size\":{\"type\":\"string\"}",
                    "\"size\":{\"type\":\"number\",\"default\":0.0}"));

    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.text()).contains("\"default\":0").doesNotContain("0.0");
  }
}
