package dev.muster.controllers.pods;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodCollectionTest {
  private static final JsonObject READY =
      object("status: {conditions: [{type: Ready, status: 'True'}]}");
  private static final JsonObject OUT =
      object("spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}");

  private static JsonObject pod(String name, String node, String phase, String more) {
    return object(
        "{metadata: {name: %1$s, uid: %1$s, creationTimestamp: '2026-01-0%2$s'}, spec: {nodeName: '%3$s'}, status: {phase: %4$s}}"
            .formatted(name, more, node, phase));
  }

  private static List<String> collect(List<JsonObject> pods, int threshold, String... gone) {
    return PodCollection.collect(
            pods, threshold, name -> name.equals("out") ? OUT : READY, Set.of(gone))
        .stream()
        .map(one -> one.pod().object("metadata").string("name") + " " + one.reason())
        .toList();
  }

  private static JsonObject deleted(JsonObject pod) {
    return pod.withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp");
  }

  @Test
  void theOldestFinishedPodsGoAndEvictedOnesFirst() {
    var evicted =
        pod("evicted", "n", "Failed", "9T00:00:00Z").withAt(Json.of("Evicted"), "status", "reason");
    var pods =
        List.of(
            pod("new", "n", "Succeeded", "3T00:00:00Z"),
            pod("old", "n", "Failed", "1T00:00:00Z"),
            evicted,
            pod("runs", "n", "Running", "1T00:00:00Z"));
    assertThat(collect(pods, 1)).containsExactly("evicted TERMINATED", "old TERMINATED");
    assertThat(collect(pods, 3)).isEmpty();
    assertThat(collect(pods, 0)).isEmpty();
  }

  @Test
  void podsOfNodesThatAreGoneGo() {
    var pod = pod("p", "gone", "Running", "1T00:00:00Z");
    assertThat(collect(List.of(pod), 9)).isEmpty();
    assertThat(collect(List.of(pod), 9, "gone")).containsExactly("p ORPHANED");
  }

  @Test
  void aDeletedPodWithoutANodeOrOnOneThatIsOutOfServiceGoes() {
    var waiting = pod("w", "", "Pending", "1T00:00:00Z");
    var stuck = pod("s", "out", "Running", "1T00:00:00Z");
    assertThat(collect(List.of(waiting, stuck), 9)).isEmpty();
    assertThat(collect(List.of(deleted(waiting), deleted(stuck)), 9))
        .containsExactly("w UNSCHEDULED", "s OUT_OF_SERVICE");
    assertThat(collect(List.of(deleted(pod("p", "n", "Running", "1T00:00:00Z"))), 9)).isEmpty();
  }
}
