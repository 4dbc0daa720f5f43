package dev.muster.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs finish, and people change how long they are kept: none goes too early, none stays. */
class TtlAfterFinishedControllerSimulationTest {
  private static final String JOBS = "/apis/batch/v1/jobs";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aJobGoesWhenItsTimeHasPassed(long seed) {
    var world =
        new Simulation(
            seed, (loops, clock) -> new TtlAfterFinishedController(2, clock).start(loops));
    world
        .observed(
            change -> {
              var left = TtlAfterFinishedController.left(change.before(), world.clock().instant());
              if (left.isEmpty() || !left.get().isZero()) {
                world.violated(change.before() + " goes with " + left + " left");
              }
            })
        .run(300, () -> others(world));
    for (var job : world.api().list(JOBS)) {
      assertThat(TtlAfterFinishedController.left(job, world.clock().instant()))
          .as("%s", job)
          .isEmpty();
    }
  }

  private static void others(Simulation world) {
    var name = "j" + world.pick(5);
    switch (world.pick(6)) {
      case 0, 1 ->
          world
              .api()
              .create(
                  JOBS,
                  """
                  metadata: {namespace: ns, name: %s}
                  spec: {ttlSecondsAfterFinished: %d}
                  status: {}
                  """
                      .formatted(name, world.pick(60)));
      case 2, 3 -> world.api().change(JOBS, "ns", name, job -> finished(world, job));
      case 4 -> {
        Json time = world.pick(3) == 0 ? JsonNull.NULL : Json.of(world.pick(120));
        world
            .api()
            .change(JOBS, "ns", name, job -> job.withAt(time, "spec", "ttlSecondsAfterFinished"));
      }
      default ->
          world
              .pick(JOBS)
              .filter(Finalizers::isDeleting)
              .map(job -> job.object("metadata").string("name"))
              .ifPresent(gone -> world.api().remove(JOBS, "ns", gone));
    }
  }

  private static JsonObject finished(Simulation world, JsonObject job) {
    return job.withAt(
        JsonArray.of(
            JsonObject.of(
                "type", world.pick(List.of("Complete", "Failed")),
                "status", "True",
                "lastTransitionTime", Timestamps.format(world.clock().instant()))),
        "status",
        "conditions");
  }
}
