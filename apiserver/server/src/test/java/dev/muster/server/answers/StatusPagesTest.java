package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.wire.CborReader;
import dev.muster.wire.JsonReader;
import dev.muster.wire.yaml.YamlReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages /statusz and /flagz. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusPagesTest {
  @TempDir private static Path folder;
  private RunningServer server;

  @BeforeAll
  void start() throws Exception {
    server = RunningServer.start(folder, new MemoryStore(), Map.of("CBORServingAndStorage", true));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private RunningServer.Answer get(String path, String accept) {
    return server.send("GET", path, "", accept, new byte[0]);
  }

  private static String accept(String type, String version, String kind) {
    return "application/" + type + ";v=" + version + ";g=config.k8s.io;as=" + kind;
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "text/plain;charset=utf-8", "*/*", "text/*"})
  void areTextForPeople(String accept) {
    assertThat(get("/statusz", accept).text())
        .startsWith("\nkube-apiserver statusz\nWarning: This endpoint is not meant to be machine")
        .containsPattern("\nStarted: \\w+ \\w+ [ \\d]\\d [\\d:]+ UTC \\d+\n")
        .containsPattern("\nUp: \\d+ hr \\d\\d min \\d\\d sec\n")
        .contains("\nBinary version: 1.36.", "\nEmulation version: 1.36\n")
        .containsPattern("\nPaths: .*/healthz .*/livez .*/metrics .*/statusz .*/version");
    assertThat(get("/flagz", accept).text())
        .startsWith("\nkube-apiserver flagz\nWarning: This endpoint is not meant to be machine")
        .contains("\nprofiling=true\n");
  }

  @ParameterizedTest
  @CsvSource({"json, v1beta1", "yaml, v1beta1", "cbor, v1beta1", "json, v1alpha1"})
  void areObjectsForClientsThatAskForThem(String type, String version) {
    for (var kind : new String[] {"Statusz", "Flagz"}) {
      var answer = get("/" + kind.toLowerCase(), accept(type, version, kind));
      assertThat(answer.code()).isEqualTo(200);
      var object =
          (JsonObject)
              switch (type) {
                case "json" -> JsonReader.read(answer.body());
                case "yaml" -> YamlReader.read(answer.body());
                default -> CborReader.read(answer.body());
              };
      assertThat(object.string("kind")).isEqualTo(kind);
      assertThat(object.string("apiVersion")).isEqualTo("config.k8s.io/" + version);
      assertThat(object.object("metadata").string("name")).isEqualTo("kube-apiserver");
      assertThat(answer.warnings().isEmpty()).isEqualTo(version.equals("v1beta1"));
      if (kind.equals("Flagz")) {
        assertThat(object.object("flags").string("profiling")).isEqualTo("true");
      } else {
        assertThat(Instant.parse(object.string("startTime"))).isBefore(Instant.now());
        assertThat(object.array("paths").strings()).contains("/healthz", "/metrics", "/version");
      }
    }
  }

  @Test
  void takeTheFirstFormThatIsAccepted() {
    var beta = accept("json", "v1beta1", "Statusz");
    var alpha = accept("json", "v1alpha1", "Statusz");
    assertThat(get("/statusz", beta + "," + alpha).text()).contains("config.k8s.io/v1beta1");
    assertThat(get("/statusz", alpha + "," + beta).text()).contains("config.k8s.io/v1alpha1");
    assertThat(get("/statusz", accept("json", "foo", "Statusz") + ",*/*").text())
        .contains("kube-apiserver statusz");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/xml",
        "application/json;v=v1beta1;g=config.k8s.io",
        "application/json;v=v1;g=config.k8s.io;as=Statusz"
      })
  void refuseOtherForms(String accept) {
    assertThat(get("/statusz", accept).code()).isEqualTo(406);
    assertThat(get("/flagz", accept).code()).isEqualTo(406);
  }

  @Test
  void areNotForEverybodyAndOnlyRead() throws Exception {
    assertThat(server.as("jane", "GET", "/flagz", "").get().statusCode()).isEqualTo(403);
    assertThat(server.as("jane", "GET", "/statusz", "").get().statusCode()).isEqualTo(403);
    assertThat(server.post("/statusz", "").code()).isEqualTo(405);
  }

  @Test
  void areNotThereWithoutTheirGates(@TempDir Path other) throws Exception {
    var gates = Map.of("ComponentStatusz", false, "ComponentFlagz", false);
    try (var without = RunningServer.start(other, new MemoryStore(), gates)) {
      assertThat(without.get("/statusz").code()).isEqualTo(404);
      assertThat(without.get("/flagz").code()).isEqualTo(404);
    }
  }
}
