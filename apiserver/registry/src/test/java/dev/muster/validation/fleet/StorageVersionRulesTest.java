package dev.muster.validation.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.BuiltIns;
import dev.muster.types.Strategy;
import dev.muster.types.table.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorageVersionRulesTest {
  private static JsonObject entry(String server, String version, String... decodable) {
    return JsonObject.of(
        "apiServerID",
        server,
        "encodingVersion",
        version,
        "decodableVersions",
        JsonArray.ofStrings(List.of(decodable)));
  }

  private static JsonObject object(String name, JsonObject status) {
    return JsonObject.of(
        "metadata",
        JsonObject.of(
            "name", name, "resourceVersion", "7", "creationTimestamp", "2026-11-15T08:00:00Z"),
        "status",
        status);
  }

  private static JsonObject status(String common, JsonObject... entries) {
    var status = JsonObject.of("storageVersions", JsonArray.of(entries));
    return common.isEmpty() ? status : status.with("commonEncodingVersion", common);
  }

  private static List<String> statusUpdate(Strategy strategy, JsonObject before, JsonObject now) {
    var errors = new ArrayList<FieldError>();
    strategy.validateStatusUpdate(
        object("apps.deployments", now), object("apps.deployments", before), errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  private static List<String> statusUpdate(JsonObject status) {
    return statusUpdate(StorageVersionRules.STRATEGY, JsonObject.EMPTY, status);
  }

  @Test
  void theNameSaysGroupAndResource() {
    assertThat(nameErrors("apps.deployments")).isEmpty();
    assertThat(nameErrors("a.example.com.things")).isEmpty();
    assertThat(nameErrors("deployments"))
        .anyMatch(error -> error.contains("name must be in the form of <group>.<resource>"));
    assertThat(nameErrors("apps.1")).anyMatch(error -> error.contains("the resource segment"));
  }

  private static List<String> nameErrors(String name) {
    var errors = new ArrayList<FieldError>();
    StorageVersionRules.STRATEGY.validateCreate(object(name, JsonObject.EMPTY), errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void everyServerHasOneEntryAndReadsWhatItWrites() {
    assertThat(statusUpdate(status("apps/v1", entry("a", "apps/v1", "apps/v1")))).isEmpty();
    assertThat(statusUpdate(status("v1", entry("a", "v1", "v1"), entry("a", "v1", "v1"))))
        .containsExactly("status.storageVersions[1].apiServerID: Duplicate value: \"a\"");
    assertThat(statusUpdate(status("v1", entry("a", "v1", "v2"))))
        .containsExactly(
            "status.storageVersions[0].decodableVersions: Invalid value: [\"v2\"]:"
                + " decodableVersions must include encodingVersion v1");
    assertThat(
            statusUpdate(
                status(
                    "v1",
                    entry("a", "v1", "v1")
                        .with("servedVersions", JsonArray.ofStrings(List.of("v3"))))))
        .containsExactly(
            "status.storageVersions[0].servedVersions[0]: Invalid value: \"v3\": individual served"
                + " version : v3 must be included in decodableVersions : [v1]");
    assertThat(statusUpdate(status("a/b/c", entry("a", "a/b/c", "a/b/c"))))
        .anyMatch(error -> error.contains("an apiVersion is a DNS-1035 label"));
  }

  @Test
  void theCommonVersionIsTheOneThatAllSay() {
    var one = entry("a", "v1", "v1");
    var two = entry("b", "v2", "v2");
    assertThat(statusUpdate(status("", one, two))).isEmpty();
    assertThat(statusUpdate(status("v1", one, two)))
        .singleElement()
        .asString()
        .contains("should be nil if servers do not agree");
    assertThat(statusUpdate(status("", one)))
        .singleElement()
        .asString()
        .contains("the common encoding version is v1");
    assertThat(statusUpdate(status("v2", one)))
        .singleElement()
        .asString()
        .contains("the actual common encoding version is v1");
  }

  @Test
  void aMigrationSaysWhatItMigratesAndEndsForGood() {
    var errors = new ArrayList<FieldError>();
    MigrationRules.STRATEGY.validateCreate(object("m", JsonObject.EMPTY), errors);
    assertThat(errors)
        .map(FieldError::toString)
        .containsExactly("spec.resource.resource: Required value: resource is required to be set");
    assertThat(
            statusUpdate(
                MigrationRules.STRATEGY,
                migrated("7", "Succeeded", "True"),
                migrated("7", "Succeeded", "False")))
        .singleElement()
        .asString()
        .contains("Success condition cannot be set to false once it is true");
    assertThat(
            statusUpdate(
                MigrationRules.STRATEGY,
                migrated("7", "Running", "True"),
                migrated("8", "Running", "True")))
        .singleElement()
        .asString()
        .contains("field is immutable");
    assertThat(
            statusUpdate(
                MigrationRules.STRATEGY, JsonObject.EMPTY, migrated("x", "Running", "True")))
        .singleElement()
        .asString()
        .contains("resource version is not well formed: x");
  }

  private static JsonObject migrated(String version, String type, String value) {
    return JsonObject.of(
        "resourceVersion",
        version,
        "conditions",
        JsonArray.of(
            JsonObject.of(
                "type",
                type,
                "status",
                value,
                "reason",
                "Why",
                "message",
                "",
                "lastTransitionTime",
                "2026-11-15T08:00:00Z")));
  }

  private static TableSpec table(String plural) {
    return BuiltIns.TYPES.all().stream()
        .filter(type -> type.plural().equals(plural))
        .findFirst()
        .orElseThrow()
        .table();
  }

  @Test
  void tablesShowWhoWritesWhatAndHowFarAMigrationIs() {
    var now = Instant.parse("2026-11-15T09:03:00Z");
    var versions = table("storageversions");
    assertThat(
            versions
                .cells(object("core.pods", status("v1", entry("a", "v1"), entry("b", "v1"))), now)
                .toString())
        .isEqualTo("[\"core.pods\",\"v1\",\"a=v1,b=v1\",\"63m\"]");
    var migrations = table("storageversionmigrations");
    var migration =
        object("m", migrated("7", "Running", "True"))
            .with(
                "spec",
                JsonObject.of(
                    "resource", JsonObject.of("group", "example.com", "resource", "things")));
    assertThat(migrations.cells(migration, now).toString())
        .isEqualTo("[\"m\",\"things.example.com\",\"Running\"]");
  }
}
