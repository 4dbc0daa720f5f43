package dev.muster.controllers.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranges come, go and come again while Services take addresses from them and give them back. */
class ServiceRangeSimulationTest {
  private static final String RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
  private static final String ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
  private static final List<String> CIDRS = List.of("10.0.0.0/24", "10.0.1.0/24", "10.0.0.0/16");

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aRangeGoesWhenNoAddressNeedsIt(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new ServiceRangeController(clock).start(loops));
    world.run(300, () -> others(world));
    var ranges = world.api().list(RANGES);
    var addresses = world.api().list(ADDRESSES);
    for (var range : ranges) {
      boolean deleting = Finalizers.isDeleting(range);
      assertThat(deleting && ServiceRanges.canGo(range, ranges, addresses))
          .as("%s may go", range)
          .isFalse();
      assertThat(range.object("metadata").array("finalizers").size()).isEqualTo(1);
      assertThat(isReady(range)).as("%s is ready", range).isEqualTo(!deleting);
    }
  }

  private static boolean isReady(JsonObject range) {
    return StatusConditions.isTrue(range.object("status").array("conditions"), "Ready");
  }

  private static void others(Simulation world) {
    int number = world.pick(3);
    switch (world.pick(6)) {
      case 0, 1 ->
          world
              .api()
              .create(
                  RANGES,
                  """
                  metadata: {name: r%d}
                  spec: {cidrs: [%s]}
                  status: {}
                  """
                      .formatted(number, CIDRS.get(number)));
      case 2 -> world.api().delete(RANGES, "", "r" + number);
      case 3 -> {
        if (world.pick(4) == 0) {
          // Somebody loses patience.
          world.api().remove(RANGES, "", "r" + number);
        }
      }
      case 4 ->
          world
              .api()
              .create(
                  ADDRESSES,
                  """
                  metadata: {name: 10.0.%d.%d, labels: {%s: %s}}
                  """
                      .formatted(
                          world.pick(2),
                          world.pick(3),
                          ServiceRanges.MANAGED_BY,
                          ServiceRanges.ALLOCATOR));
      default ->
          world
              .pick(ADDRESSES)
              .map(ServiceRanges::name)
              .ifPresent(name -> world.api().delete(ADDRESSES, "", name));
    }
  }
}
