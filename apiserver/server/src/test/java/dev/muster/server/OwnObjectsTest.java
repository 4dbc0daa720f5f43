package dev.muster.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.start.FlowStatuses;
import dev.muster.server.start.LocalApiServices;
import dev.muster.server.start.RuntimeConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server writes about itself. */
class OwnObjectsTest {
  private static final JsonObject SCHEMA =
      JsonObject.of("metadata", JsonObject.of("name", "a"), "status", JsonObject.EMPTY);

  @Test
  void anApiServiceStandsForEachVersionThatIsServed() {
    var made =
        LocalApiServices.of(
            RuntimeConfig.types(
                new ApiOptions(
                    Map.of(
                        "api/all", false,
                        "v1", true,
                        "apps/v1", true,
                        "apiregistration.k8s.io/v1", true),
                    Map.of()),
                Duration.ofHours(1),
                storage -> new JsonStorageCodec()::decode));
    assertThat(made.stream().map(one -> one.object().object("metadata").string("name")))
        .containsExactly("v1.", "v1.apps");
    assertThat(made.getFirst().object().object("spec"))
        .hasToString("{\"version\":\"v1\",\"groupPriorityMinimum\":18000,\"versionPriority\":1}");
    assertThat(made.getLast().object().object("spec"))
        .hasToString(
            "{\"group\":\"apps\",\"version\":\"v1\",\"groupPriorityMinimum\":17800,"
                + "\"versionPriority\":15}");
  }

  @Test
  void aFlowSchemaSaysWhetherItsLevelExists() {
    var lost = requireNonNull(FlowStatuses.said(SCHEMA, "low", false, "2020-01-01T00:00:00Z"));
    assertThat(lost.object("status").array("conditions").object(0))
        .hasToString(
            "{\"type\":\"Dangling\",\"status\":\"True\","
                + "\"lastTransitionTime\":\"2020-01-01T00:00:00Z\",\"reason\":\"NotFound\","
                + "\"message\":\"This FlowSchema references the PriorityLevelConfiguration object"
                + " named \\\"low\\\" but there is no such object\"}");
    assertThat(FlowStatuses.said(lost, "low", false, "2021-01-01T00:00:00Z")).isNull();
    var found = requireNonNull(FlowStatuses.said(lost, "low", true, "2021-01-01T00:00:00Z"));
    var condition = found.object("status").array("conditions").object(0);
    assertThat(condition.string("status")).isEqualTo("False");
    assertThat(condition.string("lastTransitionTime")).isEqualTo("2021-01-01T00:00:00Z");
  }
}
