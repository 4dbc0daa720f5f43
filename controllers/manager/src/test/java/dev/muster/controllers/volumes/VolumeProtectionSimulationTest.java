package dev.muster.controllers.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A volume that is deleted stays while it is bound to a claim, and goes after that. */
class VolumeProtectionSimulationTest {
  private static final String VOLUMES = "/api/v1/persistentvolumes";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aVolumeStaysWhileItIsBound(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new VolumeProtection().start(loops));
    world
        .observed(
            change -> {
              if (change.isEnd()
                  && change.before().object("status").string("phase").equals("Bound")) {
                world.violated(change.before() + " goes while it is bound");
              }
            })
        .run(300, () -> others(world));
    for (var volume : world.api().list(VOLUMES)) {
      assertThat(Finalizers.has(volume, VolumeProtection.FINALIZER)).as("%s", volume).isTrue();
      assertThat(
              Finalizers.isDeleting(volume)
                  && !volume.object("status").string("phase").equals("Bound"))
          .as("%s", volume)
          .isFalse();
    }
  }

  private static void others(Simulation world) {
    var name = "v" + world.pick(4);
    switch (world.pick(5)) {
      case 0, 1 -> world.api().create(VOLUMES, "metadata: {name: %s}".formatted(name));
      case 2 -> world.api().delete(VOLUMES, "", name);
      default -> {
        var phase = Json.of(world.pick(List.of("Bound", "Available", "Released")));
        world.api().change(VOLUMES, "", name, volume -> volume.withAt(phase, "status", "phase"));
      }
    }
  }
}
