package dev.muster.controllers.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods and services come, change and go. In the end Endpoints say what there is. */
class EndpointsSimulationTest {
  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void endpointsAreThePodsThatAServiceSelects(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new EndpointsController(2).start(loops));
    world
        .api()
        .create(
            PodsOfServices.ENDPOINTS,
            """
            metadata: {namespace: ns, name: of-somebody}
            subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]
            """);
    world
        .observed(
            change -> {
              if (change.isEnd() && ObjectKey.of(change.before()).name().equals("of-somebody")) {
                world.violated("Endpoints go that somebody made without a service");
              }
            })
        .run(400, () -> PodsOfServices.others(world));
    for (var endpoints : world.api().list(PodsOfServices.ENDPOINTS)) {
      var key = ObjectKey.of(endpoints);
      assertThat(key.name().equals("of-somebody"))
          .isNotEqualTo(world.api().get(PodsOfServices.SERVICES, "ns", key.name()).isPresent());
    }
    for (var service : world.api().list(PodsOfServices.SERVICES)) {
      var found = world.api().get(PodsOfServices.ENDPOINTS, "ns", ObjectKey.of(service).name());
      var selected = PodsOfServices.selected(world, service);
      assertThat(EndpointsPlan.next(service, selected, found.orElse(null), Optional.empty()))
          .isEmpty();
    }
  }
}
