package dev.muster.registry.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.commit.Deadline;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.store.MemoryStore;
import dev.muster.types.BuiltIns;
import dev.muster.types.ClusterView;
import dev.muster.types.SnapshotView;
import dev.muster.validation.core.Verdicts;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes of the answers of conversion webhooks, honest and other. */
class ConversionWebhookTest {
  private static final String V1 = "example.com/v1";
  private static final String V2 = "example.com/v2";
  private static final String SUBJECT = "conversion webhook for example.com/v1, Kind=Widget";

  private final MemoryStore store = new MemoryStore();
  private Replica replica;
  private ClusterView cluster;
  private final List<JsonObject> reviews = new ArrayList<>();

  @BeforeEach
  void open() {
    replica =
        Replica.start(store, BuiltIns.TYPES, KeySpaceDefinitions.NONE, ReplicaOptions.defaults());
    Awaitility.await().until(replica::ready);
    cluster = new SnapshotView(replica.current());
  }

  @AfterEach
  void close() {
    replica.close();
    store.close();
  }

  private static JsonObject widget(String version, String name) {
    return Verdicts.json(
        """
        {"apiVersion":"%s","kind":"Widget",
         "metadata":{"name":"%s","namespace":"ns","uid":"u-%s","labels":{"a":"b"},
          "finalizers":["example.com/keep"]},
         "spec":{"a":"x"}}
        """
            .formatted(version, name, name));
  }

  /** Answers every review as it should be, but for the change. */
  private ObjectConverter converter(String reviewVersions, UnaryOperator<JsonObject> change) {
    return converterOver(
        reviewVersions,
        call -> {
          var review = (JsonObject) JsonReader.read(call.body());
          reviews.add(review);
          var request = review.object("request");
          var desired = request.string("desiredAPIVersion");
          var converted =
              request
                  .array("objects")
                  .map(object -> ((JsonObject) object).with("apiVersion", desired));
          var answer =
              JsonObject.of(
                  "apiVersion",
                  review.string("apiVersion"),
                  "kind",
                  "ConversionReview",
                  "response",
                  JsonObject.of(
                      "uid", request.string("uid"),
                      "result", JsonObject.of("status", "Success"),
                      "convertedObjects", converted));
          return new WebhookResponse(200, "", JsonWriter.bytes(change.apply(answer)));
        });
  }

  private ObjectConverter converterOver(String reviewVersions, WebhookTransport transport) {
    return converterOver(reviewVersions, transport, Deadline.after(Duration.ofMinutes(1)));
  }

  private ObjectConverter converterOver(
      String reviewVersions, WebhookTransport transport, Deadline deadline) {
    var conversion =
        Verdicts.json(
            """
            {"strategy":"Webhook","webhook":{"conversionReviewVersions":%s,
             "clientConfig":{"url":"https://h.example/convert"}}}
            """
                .formatted(reviewVersions));
    try {
      return ConversionWebhook.of("widgets.example.com", conversion, transport, () -> "the-uid")
          .during(cluster, deadline, Cancellation.NEVER);
    } catch (WebhookException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonObject withObject(
      JsonObject answer, int index, UnaryOperator<JsonObject> change) {
    var objects = answer.object("response").array("convertedObjects");
    return answer.withAt(
        objects.with(index, change.apply(objects.object(index))), "response", "convertedObjects");
  }

  private void fails(UnaryOperator<JsonObject> change, String message) {
    fails("[\"v1\"]", List.of(widget(V1, "w")), change, message);
  }

  private void fails(
      String versions, List<JsonObject> objects, UnaryOperator<JsonObject> change, String message) {
    assertThatThrownBy(() -> converter(versions, change).convert(objects, V2))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN))
        .hasMessage(message);
  }

  @Test
  void theReviewIsUpstreams() {
    var widget = widget(V1, "w");
    assertThat(converter("[\"v1\"]", answer -> answer).convert(List.of(widget), V2))
        .containsExactly(widget.with("apiVersion", V2));
    assertThat(reviews)
        .containsExactly(
            Verdicts.json(
                """
                {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1",
                 "request":{"uid":"the-uid","desiredAPIVersion":"example.com/v2","objects":[%s]},
                 "response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}
                """
                    .formatted(widget)));
  }

  @Test
  void theWebhookIsToldHowLongItHas() {
    var converter =
        converterOver(
            "[\"v1\"]",
            call -> {
              throw call.failure("EOF");
            });
    assertThatThrownBy(() -> converter.convert(List.of(widget(V1, "w")), V2))
        .hasMessage(SUBJECT + " failed: Post \"https://h.example/convert?timeout=30s\": EOF");
  }

  @Test
  void aRequestWhoseOwnTimeHasRunOutIsTooLate() {
    var converter =
        converterOver(
            "[\"v1\"]",
            call -> {
              throw call.failure("context deadline exceeded");
            },
            Deadline.after(Duration.ZERO));
    assertThatThrownBy(() -> converter.convert(List.of(widget(V1, "w")), V2))
        .isInstanceOfSatisfying(
            ApiException.class, answer -> assertThat(answer.reason()).isEqualTo(Reason.TIMEOUT));
  }

  @Test
  void aListGoesInOneCallInItsOrderWithoutWhatNeedsNone() {
    var objects =
        List.of(
            widget(V1, "a"), widget(V2, "b"), widget(V1, "c"), widget(V2, "d"), widget(V1, "e"));
    var converted = converter("[\"v1\"]", answer -> answer).convert(objects, V2);
    assertThat(converted)
        .containsExactly(
            widget(V2, "a"), widget(V2, "b"), widget(V2, "c"), widget(V2, "d"), widget(V2, "e"));
    assertThat(reviews).hasSize(1);
    assertThat(reviews.getFirst().object("request").array("objects").size()).isEqualTo(3);
  }

  @Test
  void whatIsInTheVersionAlreadyIsNotSent() {
    assertThat(converter("[\"v1\"]", answer -> answer).convert(List.of(widget(V2, "a")), V2))
        .containsExactly(widget(V2, "a"));
    assertThat(converter("[\"v1\"]", answer -> answer).convert(List.of(), V2)).isEmpty();
    assertThat(reviews).isEmpty();
  }

  @Test
  void anEmptyObjectIsEmptyInEveryVersion() {
    var empty = JsonObject.of("apiVersion", V1, "kind", "Widget");
    assertThat(converter("[\"v1\"]", answer -> answer).convert(List.of(empty), V2))
        .containsExactly(empty.with("apiVersion", V2));
    assertThat(reviews).isEmpty();
  }

  @Test
  void theFirstVersionThatBothKnowIsSpoken() {
    converter("[\"v9\",\"v1beta1\",\"v1\"]", answer -> answer)
        .convert(List.of(widget(V1, "a")), V2);
    assertThat(reviews.getFirst().string("apiVersion")).isEqualTo("apiextensions.k8s.io/v1beta1");
    fails(
        "[\"v9\"]",
        List.of(widget(V1, "a")),
        answer -> answer,
        "no supported conversion review versions");
  }

  @Test
  void oldReviewsNeedNeitherKindNorUid() {
    var converted =
        converter(
                "[\"v1beta1\"]",
                answer -> answer.without("kind").without("apiVersion").withoutAt("response", "uid"))
            .convert(List.of(widget(V1, "a")), V2);
    assertThat(converted).containsExactly(widget(V2, "a"));
  }

  @Test
  void theAnswerToAnotherQuestionIsNone() {
    fails(
        answer -> answer.withAt(Json.of("other"), "response", "uid"),
        SUBJECT + " failed: expected response.uid=\"the-uid\", got \"other\"");
    fails(
        answer -> JsonObject.EMPTY,
        SUBJECT
            + " failed: expected webhook response of apiextensions.k8s.io/v1,"
            + " Kind=ConversionReview, got /, Kind=");
    fails(answer -> answer.without("response"), SUBJECT + " failed: no response provided");
    fails(
        answer -> answer.with("apiVersion", "apiextensions.k8s.io/v1beta1"),
        SUBJECT
            + " failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown"
            + " conversion");
  }

  @Test
  void aWebhookMaySayNo() {
    fails(
        answer ->
            answer.withAt(
                JsonObject.of("status", "Failure", "message", "cannot do that"),
                "response",
                "result"),
        SUBJECT + " failed: cannot do that");
    fails(
        answer -> answer.withAt(JsonObject.of("status", "Failure"), "response", "result"),
        SUBJECT + " failed: response.result.status was 'Failure', not 'Success'");
  }

  @Test
  void thereAreAsManyObjectsAsBefore() {
    fails(
        answer -> answer.withAt(JsonArray.EMPTY, "response", "convertedObjects"),
        SUBJECT + " returned 0 objects, expected 1");
    fails(
        "[\"v1\"]",
        List.of(widget(V1, "a"), widget(V1, "b")),
        answer ->
            answer.withAt(
                answer.object("response").array("convertedObjects").plus(widget(V2, "c")),
                "response",
                "convertedObjects"),
        SUBJECT + " returned 3 objects, expected 2");
  }

  @Test
  void anObjectStaysWhoItIs() {
    fails(
        answer -> withObject(answer, 0, object -> object.with("apiVersion", V1)),
        SUBJECT
            + " returned invalid object at index 0: invalid groupVersion (expected example.com/v2,"
            + " received example.com/v1)");
    fails(
        answer -> withObject(answer, 0, object -> object.with("kind", "Other")),
        SUBJECT
            + " returned invalid object at index 0: invalid kind (expected Widget, received"
            + " Other)");
    fails(
        answer -> withObject(answer, 0, object -> metadata(object, "name", "\"other\"")),
        SUBJECT + " returned invalid object: must have the same name: w != other");
    fails(
        answer -> withObject(answer, 0, object -> metadata(object, "namespace", "\"other\"")),
        SUBJECT + " returned invalid object: must have the same namespace: ns != other");
    fails(
        answer -> withObject(answer, 0, object -> metadata(object, "uid", "\"other\"")),
        SUBJECT + " returned invalid object: must have the same UID: u-w != other");
    fails(
        "[\"v1\"]",
        List.of(widget(V1, "a"), widget(V1, "b")),
        answer -> withObject(answer, 1, object -> metadata(object, "name", "\"other\"")),
        SUBJECT
            + " returned invalid converted object at index 1: must have the same name: b != other");
  }

  private static JsonObject metadata(JsonObject object, String field, String json) {
    return object.withAt(JsonReader.read(json.getBytes(StandardCharsets.UTF_8)), "metadata", field);
  }

  @Test
  void onlyLabelsAndAnnotationsAreTakenFromItsMetadata() {
    var converted =
        converter(
                "[\"v1\"]",
                answer ->
                    withObject(
                        answer,
                        0,
                        object ->
                            metadata(
                                metadata(
                                    metadata(object, "finalizers", "[]"),
                                    "annotations",
                                    "{\"by\":\"hook\"}"),
                                "labels",
                                "null")))
            .convert(List.of(widget(V1, "w")), V2);
    assertThat(converted.getFirst().object("metadata"))
        .isEqualTo(
            metadata(widget(V2, "w"), "annotations", "{\"by\":\"hook\"}")
                .object("metadata")
                .without("labels"));
  }

  @Test
  void metadataThatCannotStandThereIsRefused() {
    fails(
        answer -> withObject(answer, 0, object -> metadata(object, "labels", "{\"a\":1}")),
        SUBJECT
            + " returned invalid metadata: metadata.labels[a] must be a string, but is int64 in"
            + " converted object");
    fails(
        answer -> withObject(answer, 0, object -> metadata(object, "annotations", "[]")),
        SUBJECT
            + " returned invalid metadata: invalid metadata.annotations of type []interface {} in"
            + " converted object");
    assertThatThrownBy(
            () ->
                converter(
                        "[\"v1\"]",
                        answer ->
                            withObject(
                                answer, 0, object -> metadata(object, "labels", "{\"a b\":\"c\"}")))
                    .convert(List.of(widget(V1, "w")), V2))
        .hasMessageStartingWith(
            SUBJECT + " returned invalid metadata: metadata.labels: Invalid value: \"a b\": ");
  }

  @Test
  void whatIsNoObjectIsRefused() {
    fails(
        answer ->
            answer.withAt(JsonArray.ofStrings(List.of("text")), "response", "convertedObjects"),
        "json: cannot unmarshal string into Go value of type map[string]interface {}");
  }
}
