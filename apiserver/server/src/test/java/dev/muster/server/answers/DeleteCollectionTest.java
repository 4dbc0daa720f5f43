package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The answer to the deletion of many is a list, made while it is sent as any other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeleteCollectionTest {
  private static final int MANY = 40;

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, options -> options);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String maps() {
    var path = "/api/v1/namespaces/" + server.namespace() + "/configmaps";
    for (int i = 0; i < MANY; i++) {
      var body =
          "{\"metadata\":{\"name\":\"m-%02d\",\"labels\":{\"odd\":\"%s\"}},\"data\":{\"k\":\"%s\"}}"
              .formatted(i, i % 2 == 1, "x".repeat(10_000));
      assertThat(server.post(path, body).code()).isEqualTo(201);
    }
    return path;
  }

  private static JsonObject read(byte[] body) {
    return (JsonObject) JsonReader.read(body);
  }

  @Test
  void showsWhatWasRemovedAsItWasWithoutBeingHeldWhole() {
    var path = maps();
    var listed = read(server.get(path + "?labelSelector=odd%3Dtrue").body());
    var answer =
        server.exchange("DELETE", path + "?labelSelector=odd%3Dtrue", "application/json", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    // Whoever knows the length has made all of it.
    assertThat(answer.headers().firstValue("content-length")).isEmpty();
    var removed = read(answer.body());
    assertThat(removed.string("kind")).isEqualTo("ConfigMapList");
    assertThat(removed.get("items")).isEqualTo(listed.get("items"));
    assertThat(removed.array("items").size()).isEqualTo(MANY / 2);
    assertThat(read(server.get(path).body()).array("items").size()).isEqualTo(MANY / 2);
  }

  @Test
  void otherFormsAreMadeWhileTheyAreSentToo() {
    var path = maps();
    var answer = server.exchange("DELETE", path + "?limit=30", "application/yaml", "");
    assertThat(answer.headers().firstValue("content-length")).isEmpty();
    var text = new String(answer.body(), StandardCharsets.UTF_8);
    assertThat(text).contains("kind: ConfigMapList").contains("continue: ");
    assertThat(text.lines().filter(line -> line.strip().startsWith("name: m-"))).hasSize(30);
  }
}
