package dev.muster.server.answers;

import static dev.muster.server.answers.ConversionHook.widget;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A resource whose versions a webhook converts: {@code color} of v1 is {@code paint} in v2. */
class ConversionTest {
  /** How many objects each review had. */
  private final List<Integer> reviews = new CopyOnWriteArrayList<>();

  private RunningServer server;
  private ConversionHook hook;
  private String v1;
  private String v2;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory);
    v1 = "/apis/example.com/v1/namespaces/" + server.namespace() + "/widgets";
    v2 = v1.replace("/v1/", "/v2/");
    hook = ConversionHook.start(this::convert);
    var made = server.post(ConversionHook.DEFINITIONS, hook.definition());
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    hook.close();
    server.close();
  }

  private void convert(HttpExchange exchange) throws IOException {
    var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
    var request = review.object("request");
    var wanted = request.string("desiredAPIVersion");
    var converted = new ArrayList<Json>();
    for (var object : request.array("objects").objects()) {
      var spec = object.object("spec");
      var value = spec.string(spec.has("color") ? "color" : "paint");
      converted.add(
          object
              .with("apiVersion", wanted)
              .with("spec", JsonObject.of(wanted.endsWith("v1") ? "color" : "paint", value)));
    }
    reviews.add(converted.size());
    var answer =
        JsonWriter.bytes(
            JsonObject.of(
                "apiVersion",
                "apiextensions.k8s.io/v1",
                "kind",
                "ConversionReview",
                "response",
                JsonObject.of(
                    "uid",
                    request.string("uid"),
                    "result",
                    JsonObject.of("status", "Success"),
                    "convertedObjects",
                    JsonArray.of(converted))));
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  @Test
  void objectsAreShownInTheVersionThatIsAskedFor() {
    assertThat(server.post(v1, widget("v1", "one", "color", "red")).code()).isEqualTo(201);
    assertThat(reviews).as("of an object in the stored version").isEmpty();

    var shown = server.get(v2 + "/one").object();
    assertThat(shown.string("apiVersion")).isEqualTo("example.com/v2");
    assertThat(shown.object("spec")).isEqualTo(JsonObject.of("paint", "red"));
    assertThat(reviews).containsExactly(1);
  }

  @Test
  void whatIsWrittenInAnotherVersionIsStoredInTheStoredOne() {
    var made = server.post(v2, widget("v2", "one", "paint", "blue"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.object().object("spec")).isEqualTo(JsonObject.of("paint", "blue"));

    var changed =
        server.patch(
            v2 + "/one", "application/merge-patch+json", "{\"spec\":{\"paint\":\"green\"}}");
    assertThat(changed.code()).as(changed.text()).isEqualTo(200);
    assertThat(server.get(v1 + "/one").object().object("spec"))
        .isEqualTo(JsonObject.of("color", "green"));
  }

  @Test
  void aListIsConvertedInOneCall() {
    for (int i = 0; i < 5; i++) {
      server.post(v1, widget("v1", "w" + i, "color", "c" + i));
    }
    var items = server.get(v2).object().array("items").objects();
    assertThat(items)
        .extracting(item -> item.object("spec").string("paint"))
        .containsExactly("c0", "c1", "c2", "c3", "c4");
    assertThat(reviews).containsExactly(5);
  }

  @Test
  void watchersSeeEventsInTheirVersion() throws Exception {
    server.post(v1, widget("v1", "one", "color", "red"));
    var opened = server.open(HttpClient.Version.HTTP_1_1, "GET", v2 + "?watch=true");
    try (var events =
        new BufferedReader(
            new InputStreamReader(
                opened.get(20, TimeUnit.SECONDS).body(), StandardCharsets.UTF_8))) {
      assertThat(specOf(events)).isEqualTo(JsonObject.of("paint", "red"));
      server.post(v1, widget("v1", "two", "color", "blue"));
      assertThat(specOf(events)).isEqualTo(JsonObject.of("paint", "blue"));
    }
  }

  @Test
  void fieldsAreSelectedAsTheyAreInTheVersionThatIsAskedFor() throws Exception {
    for (int i = 0; i < 6; i++) {
      server.post(v1, widget("v1", "w" + i, "color", i % 2 == 0 ? "red" : "blue"));
    }
    assertThat(names(v2 + "?fieldSelector=spec.paint%3Dred")).containsExactly("w0", "w2", "w4");
    assertThat(reviews).as("all of them in one call, and those that match").containsExactly(6, 3);
    assertThat(names(v2 + "?fieldSelector=spec.paint%3Dred&limit=2")).containsExactly("w0", "w2");
    assertThat(names(v1 + "?fieldSelector=spec.color%3Dblue")).containsExactly("w1", "w3", "w5");
    assertThat(server.get(v2 + "?fieldSelector=spec.color%3Dblue").code()).isEqualTo(400);
  }

  private List<String> names(String path) {
    return server.get(path).object().array("items").objects().stream()
        .map(item -> item.object("metadata").string("name"))
        .toList();
  }

  @Test
  void watchersSelectFieldsAsTheyAreInTheirVersion() throws Exception {
    server.post(v1, widget("v1", "one", "color", "red"));
    server.post(v1, widget("v1", "two", "color", "blue"));
    var selected = v2 + "?watch=true&fieldSelector=spec.paint%3Dred";
    var opened = server.open(HttpClient.Version.HTTP_1_1, "GET", selected);
    try (var events =
        new BufferedReader(
            new InputStreamReader(
                opened.get(20, TimeUnit.SECONDS).body(), StandardCharsets.UTF_8))) {
      assertThat(kindOf(events)).isEqualTo("ADDED one");
      recolour("two", "red");
      assertThat(kindOf(events)).isEqualTo("ADDED two");
      recolour("one", "green");
      assertThat(kindOf(events)).isEqualTo("DELETED one");
    }
  }

  private void recolour(String name, String color) {
    var patch = "{\"spec\":{\"color\":\"%s\"}}".formatted(color);
    assertThat(server.patch(v1 + "/" + name, "application/merge-patch+json", patch).code())
        .isEqualTo(200);
  }

  private static String kindOf(BufferedReader events) throws IOException {
    var event = (JsonObject) JsonReader.read(events.readLine().getBytes(StandardCharsets.UTF_8));
    return event.string("type") + " " + event.object("object", "metadata").string("name");
  }

  private static JsonObject specOf(BufferedReader events) throws IOException {
    var event = (JsonObject) JsonReader.read(events.readLine().getBytes(StandardCharsets.UTF_8));
    return event.object("object", "spec");
  }

  @Test
  void aWebhookThatIsNotThereKeepsOnlyThoseBackWhoNeedIt() {
    server.post(v1, widget("v1", "one", "color", "red"));
    hook.close();

    var refused = server.get(v2 + "/one");
    assertThat(refused.code()).isEqualTo(500);
    assertThat(refused.object().string("message"))
        .startsWith(
            "conversion webhook for example.com/v1, Kind=Widget failed: Post \"https://127.0.0.1:");
    assertThat(server.get(v1 + "/one").code()).isEqualTo(200);
  }
}
