package dev.muster.types.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.types.BuiltIns;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableEncoderTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final JsonObject OBJECT =
      JsonObject.of(
          "apiVersion",
          "v1",
          "kind",
          "Fruit",
          "metadata",
          JsonObject.of("name", "pear", "resourceVersion", "7"));

  private static TableEncoder encoder(String include) {
    return new TableEncoder(
        BuiltIns.of("", "serviceaccounts").table(),
        "meta.k8s.io/v1",
        TableEncoder.Include.parse(include),
        object -> object.with("served", true),
        object -> object.object("metadata"));
  }

  @Test
  void aListKeepsItsMetadata() {
    var metadata = JsonObject.of("resourceVersion", "9", "continue", "x", "remainingItemCount", 3);
    var table = encoder("").list(metadata, List.of(OBJECT), NOW);
    assertThat(table.object("metadata")).isEqualTo(metadata);
    assertThat(table.array("columnDefinitions").size()).isEqualTo(2);
    assertThat(table.array("rows").toString())
        .isEqualTo(
            "[{\"cells\":[\"pear\",\"<unknown>\"],\"object\":{\"kind\":\"PartialObjectMetadata\","
                + "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"name\":\"pear\","
                + "\"resourceVersion\":\"7\"}}}]");
    assertThat(encoder("").list(metadata, List.of(), NOW).get("rows")).hasToString("[]");
  }

  @Test
  void anEmptyListWithoutColumnsOfItsOwnHasNoRowsAtAll() {
    var plain =
        new TableEncoder(
            TableSpec.PLAIN,
            "meta.k8s.io/v1",
            TableEncoder.Include.METADATA,
            object -> object,
            object -> object.object("metadata"));
    assertThat(plain.list(JsonObject.EMPTY, List.of(), NOW).get("rows")).isEqualTo(JsonNull.NULL);
  }

  @Test
  void rowsHoldWhatIsAskedFor() {
    assertThat(encoder("None").single(OBJECT, NOW).array("rows").object(0).get("object"))
        .isEqualTo(JsonNull.NULL);
    assertThat(encoder("Object").single(OBJECT, NOW).array("rows").object(0).object("object"))
        .isEqualTo(OBJECT.with("served", true));
    assertThat(encoder("Metadata").single(OBJECT, NOW).object("metadata"))
        .hasToString("{\"resourceVersion\":\"7\"}");
  }

  @Test
  void onlyTheFirstEventOfAWatchTellsTheColumns() {
    var encoder = encoder("None");
    assertThat(encoder.event(OBJECT, NOW).array("columnDefinitions").size()).isEqualTo(2);
    assertThat(encoder.event(OBJECT, NOW).get("columnDefinitions")).isEqualTo(JsonNull.NULL);
  }

  @Test
  void everyEventOfAnApiServiceTellsTheColumns() {
    var encoder =
        new TableEncoder(
            BuiltIns.of("apiregistration.k8s.io", "apiservices").table(),
            "meta.k8s.io/v1",
            TableEncoder.Include.NONE,
            object -> object,
            object -> object.object("metadata"));
    assertThat(encoder.event(OBJECT, NOW).array("columnDefinitions").size()).isEqualTo(4);
    assertThat(encoder.event(OBJECT, NOW).array("columnDefinitions").size()).isEqualTo(4);
  }

  @Test
  void theEndOfInitialEventsComesWithItsMetadata() {
    var bookmark =
        OBJECT.withAt(
            JsonObject.of("k8s.io/initial-events-end", "true"), "metadata", "annotations");
    assertThat(
            encoder("None")
                .event(bookmark, NOW)
                .array("rows")
                .object(0)
                .object("object")
                .string("kind"))
        .isEqualTo("PartialObjectMetadata");
  }

  @Test
  void otherWishesAreRefused() {
    assertThatThrownBy(() -> encoder("All"))
        .hasMessage(
            "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must"
                + " be 'Metadata', 'Object', 'None', or empty");
  }

  @Test
  void flowSchemasStandInTheOrderInWhichTheyAreTried() {
    var table =
        new TableEncoder(
            BuiltIns.of("flowcontrol.apiserver.k8s.io", "flowschemas").table(),
            "meta.k8s.io/v1",
            TableEncoder.Include.NONE,
            object -> object,
            object -> object.object("metadata"));
    var rows =
        table
            .list(JsonObject.EMPTY, List.of(flow("a", 9), flow("b", 1), flow("c", 1)), NOW)
            .array("rows")
            .objects();
    assertThat(rows)
        .extracting(row -> row.array("cells").get(0).toString())
        .containsExactly("\"b\"", "\"c\"", "\"a\"");
  }

  private static JsonObject flow(String name, int precedence) {
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", name),
        "spec",
        JsonObject.of("matchingPrecedence", precedence));
  }
}
