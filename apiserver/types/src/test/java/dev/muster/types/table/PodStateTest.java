package dev.muster.types.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodStateTest {
  private static final JsonObject RUNNING = JsonObject.of("running", JsonObject.EMPTY);

  private static JsonArray list(JsonObject... objects) {
    return JsonArray.of(List.of(objects));
  }

  private static JsonObject container(String name, JsonObject state, boolean ready) {
    return JsonObject.of("name", name, "state", state, "ready", ready);
  }

  private static JsonObject terminated(Object... members) {
    return JsonObject.of("terminated", JsonObject.of(members));
  }

  private static JsonObject waiting(String reason) {
    return JsonObject.of("waiting", JsonObject.of("reason", reason));
  }

  private static JsonObject pod(String phase, JsonObject... statuses) {
    return JsonObject.of(
        "spec",
        JsonObject.of("containers", list(JsonObject.of("name", "a"), JsonObject.of("name", "b"))),
        "status",
        JsonObject.of("phase", phase, "containerStatuses", list(statuses)));
  }

  private static JsonObject withInit(JsonObject pod, JsonArray containers, JsonArray statuses) {
    return pod.withAt(containers, "spec", "initContainers")
        .withAt(statuses, "status", "initContainerStatuses");
  }

  private static void assertState(JsonObject pod, String ready, String reason) {
    var state = PodState.of(pod);
    assertThat(state.readyText() + " " + state.reason()).isEqualTo(ready + " " + reason);
  }

  @Test
  void countsReadyContainers() {
    assertState(
        pod("Running", container("a", RUNNING, true), container("b", RUNNING, false)),
        "1/2",
        "Running");
    assertState(pod("Pending"), "0/2", "Pending");
  }

  @Test
  void theFirstContainerThatWaitsOrEndedGivesTheReason() {
    assertState(
        pod("Running", container("a", waiting("CrashLoopBackOff"), false)),
        "0/2",
        "CrashLoopBackOff");
    assertState(
        pod("Failed", container("a", terminated("exitCode", 3), false)), "0/2", "ExitCode:3");
    assertState(
        pod("Failed", container("a", terminated("exitCode", 137, "signal", 9), false)),
        "0/2",
        "Signal:9");
  }

  @Test
  void aCompletedContainerBesideARunningOneDependsOnReadiness() {
    var done = container("a", terminated("reason", "Completed", "exitCode", 0), false);
    var pod = pod("Running", done, container("b", RUNNING, true));
    assertState(pod, "1/2", "NotReady");
    assertState(
        pod.withAt(list(JsonObject.of("type", "Ready", "status", "True")), "status", "conditions"),
        "1/2",
        "Running");
    var failed = container("b", terminated("reason", "Error", "exitCode", 1), false);
    assertState(pod("Running", done, failed), "0/2", "Error");
  }

  @Test
  void initContainersTellHowFarTheyAre() {
    var two = list(JsonObject.of("name", "i"), JsonObject.of("name", "j"));
    var first = container("i", terminated("exitCode", 0), false);
    assertState(
        withInit(pod("Pending"), two, list(first, container("j", RUNNING, false))),
        "0/2",
        "Init:1/2");
    assertState(
        withInit(pod("Pending"), two, list(container("i", waiting("ErrImagePull"), false))),
        "0/2",
        "Init:ErrImagePull");
    assertState(
        withInit(pod("Pending"), two, list(container("i", terminated("exitCode", 2), false))),
        "0/2",
        "Init:ExitCode:2");
    assertState(
        withInit(pod("Pending"), two, list(container("i", waiting("PodInitializing"), false))),
        "0/2",
        "Init:0/2");
  }

  @Test
  void sidecarsCountAsContainersOnceStarted() {
    var sidecar = list(JsonObject.of("name", "s", "restartPolicy", "Always"));
    var started = container("s", RUNNING, true).with("started", true).with("restartCount", 2);
    assertState(
        withInit(
            pod("Running", container("a", RUNNING, true), container("b", RUNNING, true)),
            sidecar,
            list(started)),
        "3/3",
        "Running");
    assertThat(PodState.of(withInit(pod("Running"), sidecar, list(started))).restarts())
        .isEqualTo(2);
  }

  @Test
  void deletedAndGatedPodsSaySo() {
    var deleted = JsonObject.of("deletionTimestamp", "2026-01-01T00:00:00Z");
    assertState(pod("Running").with("metadata", deleted), "0/2", "Terminating");
    assertState(pod("Succeeded").with("metadata", deleted), "0/2", "Succeeded");
    assertState(
        pod("Running").with("metadata", deleted).withAt(Json.of("NodeLost"), "status", "reason"),
        "0/2",
        "Unknown");
    assertState(
        pod("Pending")
            .withAt(
                list(JsonObject.of("type", "PodScheduled", "reason", "SchedulingGated")),
                "status",
                "conditions"),
        "0/2",
        "SchedulingGated");
  }

  @Test
  void restartsTellWhenTheLastOneWas() {
    var restarted =
        container("a", RUNNING, true)
            .with("restartCount", 3)
            .with("lastState", terminated("finishedAt", "2026-03-01T11:55:00Z"));
    var cells =
        PodTable.SPEC.cells(pod("Running", restarted), Instant.parse("2026-03-01T12:00:00Z"));
    assertThat(cells.get(3)).hasToString("\"3 (5m ago)\"");
    assertThat(PodTable.SPEC.conditions(pod("Failed")).toString()).contains("The pod failed.");
  }
}
