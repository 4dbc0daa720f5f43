package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.Clients;
import dev.muster.controllers.Controller;
import dev.muster.controllers.storageversions.StorageVersionCollector;
import dev.muster.controllers.storageversions.StorageVersionMigrator;
import dev.muster.it.fleet.ServersInOneProcess.Running;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storage versions and migrations with three real servers on one store. The last test replaces all
 * servers, one after the other.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StorageMigrationTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String MIGRATIONS =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
  private static final String VERSIONS = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Map<String, Boolean> GATES =
      Map.of("StorageVersionAPI", true, "StorageVersionMigrator", true);
  private static final Map<String, Boolean> OLD =
      Map.of("internal.apiserver.k8s.io/v1alpha1", true, "storagemigration.k8s.io/v1beta1", true);
  private static final Map<String, Boolean> NEW = newApis();

  @TempDir private static Path folder;
  private static ServersInOneProcess fleet;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  private static Map<String, Boolean> newApis() {
    var apis = new HashMap<>(OLD);
    apis.put("batch/v1/cronjobs", false);
    return apis;
  }

  @BeforeAll
  static void begin() throws IOException {
    fleet = new ServersInOneProcess(folder);
    for (int i = 0; i < 3; i++) {
      fleet.start(OLD, GATES, Duration.ZERO);
    }
  }

  @AfterAll
  static void end() {
    fleet.close();
  }

  @AfterEach
  void stop() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  private void run(Running server, Controller controller) throws IOException {
    KubernetesClient client = Clients.of(fleet.kubeconfig(server));
    running.push(client);
    running.push(controller.start(client));
  }

  private static Controller migrator() {
    return new StorageVersionMigrator(Clock.systemUTC(), LOOK);
  }

  private static Controller collector() {
    return new StorageVersionCollector("kube-apiserver-lease", LOOK, Clock.systemUTC());
  }

  private static FleetApi api() {
    return fleet.all().getFirst().api();
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
  }

  private static JsonObject send(String method, String path, JsonObject body) {
    var answer = api().send(method, path, body);
    assertThat(answer.status()).as(answer.body()).isBetween(200, 201);
    return answer.object();
  }

  private static JsonObject version(String name, boolean storage) {
    var schema =
        JsonObject.of("type", "object", "x-kubernetes-preserve-unknown-fields", Json.of(true));
    return JsonObject.of(
        "name",
        name,
        "served",
        Json.of(true),
        "storage",
        Json.of(storage),
        "schema",
        JsonObject.of("openAPIV3Schema", schema));
  }

  private static void define(String plural, String kind) {
    var names = JsonObject.of("plural", plural, "kind", kind, "singular", plural + "one");
    send(
        "POST",
        DEFINITIONS,
        JsonObject.of(
            "apiVersion",
            "apiextensions.k8s.io/v1",
            "kind",
            "CustomResourceDefinition",
            "metadata",
            JsonObject.of("name", plural + ".example.com"),
            "spec",
            JsonObject.of(
                "group",
                "example.com",
                "scope",
                "Namespaced",
                "names",
                names,
                "versions",
                JsonArray.of(version("v1", true), version("v2", false)))));
    eventually(
        () -> assertThat(api().get("/apis/example.com/v1/" + plural).status()).isEqualTo(200));
  }

  private static void storeInSecondVersion(String plural) {
    eventually(
        () -> {
          var path = DEFINITIONS + "/" + plural + ".example.com";
          var changed =
              api()
                  .object(path)
                  .withAt(
                      JsonArray.of(version("v1", false), version("v2", true)), "spec", "versions");
          assertThat(api().send("PUT", path, changed).status()).isEqualTo(200);
        });
  }

  private static JsonObject create(String plural, String kind, String version, String name) {
    return send(
        "POST",
        "/apis/example.com/" + version + "/namespaces/default/" + plural,
        JsonObject.of(
            "apiVersion",
            "example.com/" + version,
            "kind",
            kind,
            "metadata",
            JsonObject.of("name", name),
            "size",
            7));
  }

  private static void migrate(String name, String plural) {
    send(
        "POST",
        MIGRATIONS,
        JsonObject.of(
            "apiVersion",
            "storagemigration.k8s.io/v1beta1",
            "kind",
            "StorageVersionMigration",
            "metadata",
            JsonObject.of("name", name),
            "spec",
            JsonObject.of("resource", JsonObject.of("group", "example.com", "resource", plural))));
  }

  private static JsonObject condition(String migration, String type) {
    return api()
        .object(MIGRATIONS + "/" + migration)
        .object("status")
        .array("conditions")
        .objects()
        .stream()
        .filter(condition -> condition.string("type").equals(type))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static void awaitSucceeded(String migration) {
    eventually(
        () ->
            assertThat(condition(migration, "Succeeded").string("status"))
                .as(api().object(MIGRATIONS + "/" + migration).toString())
                .isEqualTo("True"));
  }

  /** The versions in which objects lie in the store, each with how many. */
  private static Map<String, Integer> storedVersions(String plural) {
    var versions = new HashMap<String, Integer>();
    try (var image = fleet.store().image()) {
      for (var entry : image) {
        if (entry.key().startsWith("/example.com/" + plural + "/")) {
          var object = (JsonObject) JsonReader.read(entry.value());
          versions.merge(object.string("apiVersion"), 1, Integer::sum);
        }
      }
    }
    return versions;
  }

  private static Map<String, String> resourceVersions(String plural) {
    var versions = new HashMap<String, String>();
    for (var item : api().object("/apis/example.com/v2/" + plural).array("items").objects()) {
      var metadata = item.object("metadata");
      versions.put(metadata.string("name"), metadata.string("resourceVersion"));
    }
    return versions;
  }

  private static List<String> definedVersions(String plural) {
    return api()
        .object(DEFINITIONS + "/" + plural + ".example.com")
        .object("status")
        .array("storedVersions")
        .strings();
  }

  private static List<String> entries(String storageVersion) {
    var rows = new ArrayList<String>();
    for (var row :
        api()
            .object(VERSIONS + "/" + storageVersion)
            .object("status")
            .array("storageVersions")
            .objects()) {
      rows.add(row.string("apiServerID") + "=" + row.string("encodingVersion"));
    }
    return rows;
  }

  /** As discovery shows it. */
  private static String storageVersionHash(String plural) {
    return api().object("/apis/example.com/v1").array("resources").objects().stream()
        .filter(resource -> resource.string("name").equals(plural))
        .map(resource -> resource.string("storageVersionHash"))
        .findFirst()
        .orElse("");
  }

  private static String common(String storageVersion) {
    return api()
        .object(VERSIONS + "/" + storageVersion)
        .object("status")
        .string("commonEncodingVersion");
  }

  @Test
  @Order(1)
  void everyServerSaysInWhichVersionItStoresEachResource() {
    for (var name : List.of("core.pods", "apps.deployments", "core.events")) {
      eventually(() -> assertThat(entries(name)).hasSize(3));
    }
    assertThat(common("apps.deployments")).isEqualTo("apps/v1");
    var leases =
        api().leases("kube-apiserver-lease").stream()
            .map(lease -> lease.object("metadata").string("name") + "=v1")
            .toList();
    assertThat(entries("core.pods")).containsExactlyInAnyOrderElementsOf(leases);
    assertThat(api().get("/readyz?verbose").body())
        .contains("[+]poststarthook/built-in-resources-storage-version-updater ok");
    assertThat(api().get(VERSIONS + "/events.k8s.io.events").status()).isEqualTo(404);
  }

  @Test
  @Order(2)
  void entriesOfCustomResourcesFollowTheirDefinitions() throws IOException {
    define("gauges", "Gauge");
    eventually(() -> assertThat(entries("example.com.gauges")).hasSize(3));
    assertThat(common("example.com.gauges")).isEqualTo("example.com/v1");
    assertThat(storageVersionHash("gauges")).isEqualTo("W3ez5E44sD8=");
    storeInSecondVersion("gauges");
    assertThat(storageVersionHash("gauges")).isEqualTo("+Ep9IdTuAyc=");
    eventually(() -> assertThat(common("example.com.gauges")).isEqualTo("example.com/v2"));
    run(fleet.all().getFirst(), collector());
    send("DELETE", DEFINITIONS + "/gauges.example.com", JsonObject.EMPTY);
    eventually(
        () -> assertThat(api().get(VERSIONS + "/example.com.gauges").status()).isEqualTo(404));
  }

  @Test
  @Order(3)
  void everyStoredObjectIsMigratedOnceAndASecondMigrationWritesNothing() throws IOException {
    define("widgets", "Widget");
    for (int i = 0; i < 500; i++) {
      create("widgets", "Widget", "v1", "w" + i);
    }
    storeInSecondVersion("widgets");
    var young = create("widgets", "Widget", "v2", "young");
    assertThat(storedVersions("widgets"))
        .containsEntry("example.com/v1", 500)
        .containsEntry("example.com/v2", 1);
    assertThat(definedVersions("widgets")).containsExactly("v1", "v2");
    run(fleet.all().getFirst(), migrator());
    migrate("widgets-to-v2", "widgets");
    awaitSucceeded("widgets-to-v2");
    assertThat(storedVersions("widgets")).containsExactly(Map.entry("example.com/v2", 501));
    assertThat(definedVersions("widgets")).containsExactly("v2");
    assertThat(condition("widgets-to-v2", "Succeeded").string("message"))
        .isEqualTo("501 objects seen, 500 of them rewritten");
    var after = resourceVersions("widgets");
    assertThat(after).containsEntry("young", young.object("metadata").string("resourceVersion"));
    migrate("widgets-again", "widgets");
    awaitSucceeded("widgets-again");
    assertThat(condition("widgets-again", "Succeeded").string("message"))
        .isEqualTo("501 objects seen, 0 of them rewritten");
    assertThat(resourceVersions("widgets")).isEqualTo(after);
  }

  @Test
  @Order(4)
  void aServerThatStoresAnotherVersionIsWaitedForUntilItIsGone() throws IOException {
    define("dials", "Dial");
    create("dials", "Dial", "v1", "d");
    storeInSecondVersion("dials");
    eventually(() -> assertThat(common("example.com.dials")).isEqualTo("example.com/v2"));
    addEntry("example.com.dials", "long-gone", "example.com/v1");
    run(fleet.all().getFirst(), migrator());
    migrate("dials-to-v2", "dials");
    eventually(
        () ->
            assertThat(condition("dials-to-v2", "Running").string("message"))
                .contains("long-gone=example.com/v1"));
    assertThat(condition("dials-to-v2", "Running").string("status")).isEqualTo("False");
    assertThat(storedVersions("dials")).containsExactly(Map.entry("example.com/v1", 1));
    var living = new ArrayList<>(entries("core.pods"));
    run(fleet.all().getFirst(), collector());
    awaitSucceeded("dials-to-v2");
    assertThat(storedVersions("dials")).containsExactly(Map.entry("example.com/v2", 1));
    assertThat(entries("example.com.dials")).hasSize(3);
    assertThat(entries("core.pods")).containsExactlyInAnyOrderElementsOf(living);
  }

  private static void addEntry(String storageVersion, String server, String encoding) {
    eventually(
        () -> {
          var object = api().object(VERSIONS + "/" + storageVersion);
          var rows =
              new ArrayList<Json>(object.object("status").array("storageVersions").objects());
          rows.add(
              JsonObject.of(
                  "apiServerID",
                  server,
                  "encodingVersion",
                  encoding,
                  "decodableVersions",
                  JsonArray.ofStrings(List.of(encoding))));
          var status =
              object
                  .object("status")
                  .with("storageVersions", JsonArray.of(rows))
                  .without("commonEncodingVersion");
          var answer =
              api()
                  .send(
                      "PUT",
                      VERSIONS + "/" + storageVersion + "/status",
                      object.with("status", status));
          assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        });
  }

  @Test
  @Order(5)
  void aMigrationDuringARollingUpgradeWaitsForTheLastServer() throws IOException {
    define("meters", "Meter");
    for (int i = 0; i < 20; i++) {
      create("meters", "Meter", "v1", "m" + i);
    }
    storeInSecondVersion("meters");
    var old = fleet.all();
    upgrade(old.get(0));
    var upgraded = fleet.all().getLast();
    run(upgraded, migrator());
    run(upgraded, collector());
    migrate("meters-to-v2", "meters");
    awaitWaiting();
    upgrade(old.get(1));
    awaitWaiting();
    upgrade(old.get(2));
    awaitSucceeded("meters-to-v2");
    assertThat(storedVersions("meters")).containsExactly(Map.entry("example.com/v2", 20));
    assertThat(definedVersions("meters")).containsExactly("v2");
    assertThat(api().consistent()).contains(true);
    eventually(() -> assertThat(entries("core.pods")).hasSize(3));
  }

  private static void upgrade(Running server) throws IOException {
    fleet.stop(server);
    fleet.start(NEW, GATES, Duration.ZERO);
  }

  /** Nothing is written as long as a server of the old kind is there. */
  private static void awaitWaiting() {
    eventually(
        () -> {
          var waiting = condition("meters-to-v2", "Running");
          assertThat(waiting.string("status")).isEqualTo("False");
          assertThat(waiting.string("message"))
              .isEqualTo("API servers do not all serve the same APIs");
        });
    assertThat(storedVersions("meters")).containsExactly(Map.entry("example.com/v1", 20));
  }
}
