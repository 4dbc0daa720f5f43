package dev.muster.controllers.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes and pods come and go: no pod goes that lives on a Node that is there, and none stays. */
class PodCollectorSimulationTest {
  private static final String PODS = "/api/v1/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final int THRESHOLD = 3;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void podsGoThatNobodyElseDeletes(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new PodCollector(THRESHOLD, clock).start(loops));
    world
        .observed(
            change -> {
              if (change.isEnd() && lives(world, change.before())) {
                world.violated(change.before() + " goes and had not ended");
              }
            })
        .run(400, () -> others(world));
    var pods = world.api().list(PODS);
    assertThat(pods.stream().filter(PodCollection::isFinished).count())
        .isLessThanOrEqualTo(THRESHOLD);
    for (var pod : pods) {
      var node = pod.object("spec").string("nodeName");
      boolean deleting = pod.object("metadata").has("deletionTimestamp");
      assertThat(node.isEmpty() ? !deleting : world.api().get(NODES, "", node).isPresent())
          .as("%s has a place", pod)
          .isTrue();
    }
  }

  /** On a Node that is there, or without one and not deleted. */
  private static boolean lives(Simulation world, JsonObject pod) {
    var node = pod.object("spec").string("nodeName");
    boolean deleting = pod.object("metadata").has("deletionTimestamp");
    return !PodCollection.isFinished(pod)
        && (node.isEmpty() ? !deleting : world.api().get(NODES, "", node).isPresent());
  }

  private static void others(Simulation world) {
    var name = "p" + world.pick(10);
    switch (world.pick(8)) {
      case 0, 1 -> world.api().create(NODES, "metadata: {name: n%d}".formatted(world.pick(3)));
      case 2 -> world.api().delete(NODES, "", "n" + world.pick(3));
      case 3, 4 ->
          world
              .api()
              .create(
                  PODS,
                  """
                  metadata: {namespace: ns, name: %s}
                  spec: {nodeName: '%s'}
                  status: {phase: Running}
                  """
                      .formatted(name, world.pick(List.of("", "n0", "n1", "n2"))));
      case 5 ->
          world
              .api()
              .change(PODS, "ns", name, pod -> pod.withAt(Json.of("Succeeded"), "status", "phase"));
      case 6 ->
          world
              .api()
              .change(
                  PODS,
                  "ns",
                  name,
                  pod ->
                      pod.withAt(Json.of("2026-01-01T00:00:00Z"), "metadata", "deletionTimestamp")
                          .withAt(Json.of(30), "metadata", "deletionGracePeriodSeconds"));
      default ->
          world
              .pick(PODS)
              .map(ObjectKey::of)
              .ifPresent(key -> world.api().remove(PODS, "ns", key.name()));
    }
  }
}
