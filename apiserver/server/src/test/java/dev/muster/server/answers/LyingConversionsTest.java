package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A conversion webhook whose answers are wrong in every way that a seed makes up: who needs it gets
 * an error, all others go on. {@code -Dmuster.fuzz.runs=N} tries more of them.
 */
@Tag("slow")
class LyingConversionsTest {
  private static final int RUNS = Integer.getInteger("muster.fuzz.runs", 40);

  private RunningServer server;
  private ConversionHook hook;
  private Random random = new Random();
  private String v1;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory);
    v1 = "/apis/example.com/v1/namespaces/" + server.namespace() + "/widgets";
    hook = ConversionHook.start(this::lie);
    var made = server.post(ConversionHook.DEFINITIONS, hook.definition());
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    for (var name : List.of("one", "two", "three")) {
      assertThat(server.post(v1, ConversionHook.widget("v1", name, "color", "red")).code())
          .isEqualTo(201);
    }
  }

  @AfterEach
  void stop() {
    hook.close();
    server.close();
  }

  private void lie(HttpExchange exchange) throws IOException {
    var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
    var answer = answer(review.object("request"));
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(random.nextInt(8) == 0 ? 503 : 200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private byte[] answer(JsonObject request) {
    var converted = new ArrayList<Json>();
    for (var object : request.array("objects").objects()) {
      converted.add(object.with("apiVersion", request.string("desiredAPIVersion")));
    }
    var response =
        JsonObject.of(
            "uid",
            request.string("uid"),
            "result",
            JsonObject.of("status", "Success"),
            "convertedObjects",
            JsonArray.of(converted));
    var first = (JsonObject) converted.getFirst();
    var wrong =
        switch (random.nextInt(14)) {
          case 0 -> response.with("convertedObjects", JsonArray.EMPTY);
          case 1 -> response.with("convertedObjects", JsonArray.of(first, first, first, first));
          case 2 -> response.with("uid", "another");
          case 3 -> response.with("result", JsonObject.of("status", "Failure", "message", "no"));
          case 4 -> response.with("convertedObjects", JsonNull.NULL);
          case 5 -> replaced(response, converted, JsonNull.NULL);
          case 6 -> replaced(response, converted, Json.of("text"));
          case 7 ->
              replaced(response, converted, first.withAt(Json.of("other"), "metadata", "name"));
          case 8 ->
              replaced(response, converted, first.withAt(Json.of("other"), "metadata", "uid"));
          case 9 -> replaced(response, converted, first.with("apiVersion", "example.com/v9"));
          case 10 -> replaced(response, converted, first.with("kind", "Gadget"));
          case 11 -> replaced(response, converted, first.with("metadata", Json.of(5)));
          case 12 -> replaced(response, converted, first.withAt(Json.of(5), "metadata", "labels"));
          default -> JsonObject.EMPTY;
        };
    var review =
        JsonObject.of(
            "apiVersion", "apiextensions.k8s.io/v1", "kind", "ConversionReview", "response", wrong);
    var bytes = JsonWriter.bytes(review);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
      default -> bytes;
    };
  }

  private static JsonObject replaced(JsonObject response, List<Json> converted, Json first) {
    var changed = new ArrayList<>(converted);
    changed.set(0, first);
    return response.with("convertedObjects", JsonArray.of(changed));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nobodyElseNotices(long seed) {
    random = new Random(seed);
    var v2 = v1.replace("/v1/", "/v2/");
    for (int i = 0; i < RUNS; i++) {
      var answer =
          switch (i % 3) {
            case 0 -> server.get(v2 + "/one");
            case 1 -> server.get(v2);
            default -> server.post(v2, ConversionHook.widget("v2", "new-" + i, "paint", "blue"));
          };
      assertThat(answer.code()).as("run %s: %s", i, answer.text()).isEqualTo(500);
      assertThat(answer.message()).as("run %s", i).isNotEmpty();
      assertThat(server.get(v1 + "/two").code()).as("run %s", i).isEqualTo(200);
    }
    assertThat(server.get(v1).object().array("items").size()).isEqualTo(3);
  }
}
