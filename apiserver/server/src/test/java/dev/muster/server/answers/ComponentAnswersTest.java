package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Components are asked when somebody asks for them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComponentAnswersTest {
  private static final String COMPONENTS = "/api/v1/componentstatuses";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void theStoreIsHealthyWhileItAnswers() {
    assertThat(server.get(COMPONENTS + "/etcd-0").text())
        .isEqualTo(
            "{\"kind\":\"ComponentStatus\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"etcd-0\"},\"conditions\":[{\"type\":\"Healthy\",\"status\":\"True\",\"message\":\"ok\"}]}\n");
  }

  @Test
  void allComponentsAreListedAndCanBeSelected() {
    var list = server.get(COMPONENTS).object();
    assertThat(list.object("metadata").isEmpty()).isTrue();
    assertThat(list.array("items").objects())
        .extracting(item -> item.object("metadata").string("name"))
        .containsExactly("controller-manager", "etcd-0", "scheduler");
    assertThat(server.get(COMPONENTS + "?labelSelector=a%3Db").object().array("items")).isEmpty();
    assertThat(
            server
                .get(COMPONENTS + "?fieldSelector=metadata.name%3Detcd-0")
                .object()
                .array("items"))
        .hasSize(1);
  }

  @Test
  void componentsCannotBeWatched() {
    var answer = server.get(COMPONENTS + "?watch=true");
    assertThat(answer.code()).isEqualTo(405);
    assertThat(answer.message())
        .isEqualTo("watch is not supported on resources of kind \"componentstatuses\"");
    assertThat(answer.warnings()).hasSize(1);
  }

  @Test
  void nobodyKnowsOtherComponents() {
    var answer = server.get(COMPONENTS + "/kitchen");
    assertThat(answer.code()).isEqualTo(404);
    assertThat(answer.message()).isEqualTo("componentstatus \"kitchen\" not found");
    assertThat(answer.warnings()).hasSize(1);
  }
}
