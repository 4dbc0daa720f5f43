package dev.muster.controllers.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods, services and Nodes come, change and go. In the end each pod is in exactly one slice. */
class EndpointSliceSimulationTest {
  private static final int MOST = 3;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void eachPodIsInOneSliceInTheEnd(long seed) {
    var world =
        new Simulation(
            seed, (loops, clock) -> new EndpointSliceController(2, MOST, clock).start(loops));
    world.run(400, () -> PodsOfServices.others(world));
    for (var service : world.api().list(PodsOfServices.SERVICES)) {
      var found = new ArrayList<String>();
      for (var slice : world.api().list(PodsOfServices.SLICES)) {
        if (SliceWriter.service(slice).equals(ObjectKey.of(service))) {
          var endpoints = slice.array("endpoints").objects();
          assertThat(endpoints.size()).isLessThanOrEqualTo(MOST);
          for (var endpoint : endpoints) {
            found.add(
                endpoint.object("targetRef").string("uid")
                    + endpoint.array("addresses").strings()
                    + endpoint.object("conditions").isTrue("ready"));
          }
        }
      }
      var wanted = new ArrayList<String>();
      for (var pod : PodsOfServices.selected(world, service)) {
        if (PodEndpoints.isPublished(pod) && PodsOfServices.hasNode(world, pod)) {
          wanted.add(
              pod.object("metadata").string("uid")
                  + PodEndpoints.addresses(pod, EndpointFamily.IPV4)
                  + PodEndpoints.isReady(pod));
        }
      }
      assertThat(found).as("%s", service).containsExactlyInAnyOrderElementsOf(wanted);
    }
  }
}
