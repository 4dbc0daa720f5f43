package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Events are one resource in two groups. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventAnswersTest {
  private RunningServer server;
  private String namespace;
  private String grouped;
  private String core;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    namespace = server.namespace();
    grouped = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    core = "/api/v1/namespaces/" + namespace + "/events";
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String event(String name, String note) {
    return """
    {"metadata":{"name":"%s"},"eventTime":"2024-01-02T03:04:05.123456Z",
     "reportingController":"example.com/c","reportingInstance":"c-1","action":"Do",
     "reason":"Why","type":"Normal","note":"%s",
     "regarding":{"kind":"Pod","name":"p","namespace":"%s"}}
    """
        .formatted(name, note, namespace);
  }

  @Test
  void nothingIsLostBetweenTheGroups() {
    var created = server.post(grouped, event("a", "hi")).object();
    assertThat(created.string("note")).isEqualTo("hi");
    assertThat(created.object("regarding").string("name")).isEqualTo("p");
    var seen = server.get(core + "/a").object();
    assertThat(seen.string("message")).isEqualTo("hi");
    assertThat(seen.object("involvedObject").string("kind")).isEqualTo("Pod");
    assertThat(seen.string("reportingComponent")).isEqualTo("example.com/c");
  }

  @Test
  void refusalsNameTheKindThatIsStored() {
    assertThat(server.post(grouped, event("long", "n".repeat(1025))).message())
        .isEqualTo(
            "Event \"long\" is invalid: message: Invalid value: \"\": can have at most 1024"
                + " characters");
  }

  @Test
  void anEventOfTheCoreGroupCanBePatchedThroughTheOther() {
    server.post(
        core,
        "{\"metadata\":{\"name\":\"old\"},\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"%s\"}}"
            .formatted(namespace));
    var patched =
        server.patch(
            grouped + "/old", RunningServer.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(patched.code()).isEqualTo(200);
    assertThat(patched.object().string("apiVersion")).isEqualTo("events.k8s.io/v1");
  }
}
