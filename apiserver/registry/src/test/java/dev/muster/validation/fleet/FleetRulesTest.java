package dev.muster.validation.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.BuiltIns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetRulesTest {
  private static JsonObject row(String server, String hash) {
    return JsonObject.of(
        "apiServerID", server, "builtInAPIHash", hash, "lastHeartbeatTime", "2026-11-15T09:00:00Z");
  }

  private static JsonObject object(JsonObject... rows) {
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", "builtin", "creationTimestamp", "2026-11-15T08:00:00Z"),
        "hashes",
        JsonArray.of(rows));
  }

  private static List<String> create(JsonObject object) {
    var errors = new ArrayList<FieldError>();
    FleetRules.HASHES.validateCreate(object, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void everyRowIsCompleteAndNoServerHasTwo() {
    assertThat(create(object(row("a", "1"), row("b", "1")))).isEmpty();
    assertThat(create(object(row("a", "1"), row("a", "2"))))
        .containsExactly("hashes[1].apiServerID: Duplicate value: \"a\"");
    assertThat(create(object(row("", "1"))))
        .containsExactly("hashes[0].apiServerID: Required value");
    assertThat(create(object(row("a", ""))))
        .containsExactly("hashes[0].builtInAPIHash: Required value");
    assertThat(create(object(row("a", "1").without("lastHeartbeatTime"))))
        .containsExactly("hashes[0].lastHeartbeatTime: Required value");
    assertThat(create(object(row("a", "1").with("heartbeatPeriodSeconds", 300)))).isEmpty();
    assertThat(create(object(row("a", "1").with("heartbeatPeriodSeconds", 0))))
        .singleElement()
        .asString()
        .startsWith("hashes[0].heartbeatPeriodSeconds: Invalid value: 0");
  }

  @Test
  void theTableShowsWhoServesWhat() {
    var table = BuiltIns.of("apiservercoordination.k8s.io", "discoverydochashes").table();
    var now = Instant.parse("2026-11-15T09:03:00Z");
    var two = object(row("a", "0123456789abcdef"), row("b", "fedcba9876543210"), row("c", "01"));
    assertThat(table.cells(two, now).toString())
        .isEqualTo(
            "[\"builtin\",3,\"False\",\"3m\",\"63m\",\"01=c 0123456789ab=a fedcba987654=b\"]");
    assertThat(table.cells(object(), now).toString())
        .isEqualTo("[\"builtin\",0,\"True\",\"<none>\",\"63m\",\"<none>\"]");
  }
}
