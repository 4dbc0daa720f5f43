package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;

/**
 * Custom resources of two versions, the versions in which they are stored, and their migrations.
 */
final class StoredVersions {
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final String MIGRATIONS =
      "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";

  static final String VERSIONS = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";

  private final ServersInOneProcess fleet;

  StoredVersions(ServersInOneProcess fleet) {
    this.fleet = fleet;
  }

  FleetApi api() {
    return fleet.all().getFirst().api();
  }

  static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
  }

  JsonObject send(String method, String path, JsonObject body) {
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

  void define(String plural, String kind) {
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

  void storeInSecondVersion(String plural) {
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

  JsonObject create(String plural, String kind, String version, String name) {
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

  void migrate(String name, String plural) {
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

  JsonObject condition(String migration, String type) {
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

  void awaitSucceeded(String migration) {
    eventually(
        () ->
            assertThat(condition(migration, "Succeeded").string("status"))
                .as(api().object(MIGRATIONS + "/" + migration).toString())
                .isEqualTo("True"));
  }

  /** The versions in which objects lie in the store, each with how many. */
  Map<String, Integer> storedVersions(String plural) {
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

  Map<String, String> resourceVersions(String plural) {
    var versions = new HashMap<String, String>();
    for (var item : api().object("/apis/example.com/v2/" + plural).array("items").objects()) {
      var metadata = item.object("metadata");
      versions.put(metadata.string("name"), metadata.string("resourceVersion"));
    }
    return versions;
  }

  List<String> definedVersions(String plural) {
    return api()
        .object(DEFINITIONS + "/" + plural + ".example.com")
        .object("status")
        .array("storedVersions")
        .strings();
  }

  List<String> entries(String storageVersion) {
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
  String storageVersionHash(String plural) {
    return api().object("/apis/example.com/v1").array("resources").objects().stream()
        .filter(resource -> resource.string("name").equals(plural))
        .map(resource -> resource.string("storageVersionHash"))
        .findFirst()
        .orElse("");
  }

  String common(String storageVersion) {
    return api()
        .object(VERSIONS + "/" + storageVersion)
        .object("status")
        .string("commonEncodingVersion");
  }

  void addEntry(String storageVersion, String server, String encoding) {
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
}
