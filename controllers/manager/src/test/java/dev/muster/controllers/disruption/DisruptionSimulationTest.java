package dev.muster.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods come, change and are evicted. In the end each budget counts what is there. */
class DisruptionSimulationTest {
  private static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
  private static final String PODS = "/api/v1/pods";
  private static final String SETS = "/apis/apps/v1/replicasets";
  private static final int WANTED = 4;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void budgetsCountWhatIsThere(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new DisruptionController(clock).start(loops));
    world
        .api()
        .create(SETS, "metadata: {namespace: ns, name: set}\nspec: {replicas: " + WANTED + "}");
    world.run(400, () -> others(world));
    for (var budget : world.api().list(BUDGETS)) {
      var selector = LabelSelector.ofObject(budget.object("spec").object("selector"));
      var selected =
          world.api().list(PODS).stream()
              .filter(pod -> selector.matches(pod.object("metadata").object("labels")))
              .toList();
      boolean managed = selected.stream().anyMatch(DisruptionSimulationTest::isManaged);
      var now = world.clock().instant();
      var counted = DisruptionBudget.of(budget, selected, managed ? WANTED : 0, now);
      assertThat(budget.object("status")).isEqualTo(counted.status(budget, now));
      assertThat(counted.disrupted().isEmpty()).as("no eviction is under way").isTrue();
    }
  }

  private static boolean isManaged(JsonObject pod) {
    return pod.object("metadata").has("ownerReferences");
  }

  private static void others(Simulation world) {
    var app = world.pick(List.of("a", "b"));
    var name = "p" + world.pick(8);
    switch (world.pick(8)) {
      case 0 ->
          world
              .api()
              .create(
                  BUDGETS,
                  """
                  metadata: {namespace: ns, name: b%d}
                  spec: {%s, selector: {matchLabels: {app: %s}}}
                  status: {}
                  """
                      .formatted(
                          world.pick(3),
                          world.pick(
                              List.of("minAvailable: 2", "minAvailable: 50%", "maxUnavailable: 1")),
                          app));
      case 1 -> {
        if (world.pick(3) == 0) {
          world.api().delete(BUDGETS, "ns", "b" + world.pick(3));
        }
      }
      case 2, 3, 4 -> world.api().create(PODS, pod(world, name, app));
      case 5 -> {
        var ready = Json.of(world.pick(List.of("True", "False")));
        world
            .api()
            .change(
                PODS,
                "ns",
                name,
                pod ->
                    pod.withAt(
                        pod.object("status")
                            .array("conditions")
                            .map(one -> ((JsonObject) one).with("status", ready)),
                        "status",
                        "conditions"));
      }
      case 6 -> world.api().delete(PODS, "ns", name);
      default -> evict(world, name);
    }
  }

  private static String pod(Simulation world, String name, String app) {
    var set = world.api().get(SETS, "ns", "set").orElseThrow().object("metadata").string("uid");
    var owner = "{apiVersion: apps/v1, kind: ReplicaSet, name: set, uid: " + set;
    return """
    metadata: {namespace: ns, name: %s, labels: {app: %s}, %s}
    status: {conditions: [{type: Ready, status: 'True'}]}
    """
        .formatted(
            name,
            app,
            world.pick(4) == 0
                ? "annotations: {}"
                : "ownerReferences: [" + owner + ", controller: true}]");
  }

  /** The API server grants an eviction; sometimes the pod goes after that, and sometimes not. */
  private static void evict(Simulation world, String pod) {
    world
        .pick(BUDGETS)
        .filter(budget -> budget.object("status").integer("disruptionsAllowed", 0) > 0)
        .map(ObjectKey::of)
        .ifPresent(
            key ->
                world
                    .api()
                    .change(
                        BUDGETS,
                        "ns",
                        key.name(),
                        budget ->
                            budget
                                .withAt(
                                    Json.of(
                                        budget.object("status").integer("disruptionsAllowed", 0)
                                            - 1),
                                    "status",
                                    "disruptionsAllowed")
                                .withAt(
                                    Json.of(Timestamps.format(world.clock().instant())),
                                    "status",
                                    "disruptedPods",
                                    pod)));
    if (world.pick(2) == 0) {
      world.api().delete(PODS, "ns", pod);
    }
  }
}
