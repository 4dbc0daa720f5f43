package dev.muster.controllers.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** People write Endpoints of services without a selector. In the end slices say the same. */
class MirroringSimulationTest {
  private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void slicesSayWhatEndpointsSay(long seed) {
    var world =
        new Simulation(seed, (loops, clock) -> new MirroringController(2, 100, clock).start(loops));
    world.run(300, () -> others(world));
    for (var name : List.of("s0", "s1", "s2")) {
      assertThat(mirrored(world, name)).containsExactlyInAnyOrderElementsOf(wanted(world, name));
    }
  }

  private static List<String> mirrored(Simulation world, String name) {
    var found = new ArrayList<String>();
    for (var slice : world.api().list(PodsOfServices.SLICES)) {
      if (SliceWriter.service(slice).name().equals(name)) {
        slice
            .array("endpoints")
            .objects()
            .forEach(endpoint -> found.addAll(endpoint.array("addresses").strings()));
      }
    }
    return found;
  }

  private static List<String> wanted(Simulation world, String name) {
    var service = world.api().get(PodsOfServices.SERVICES, "ns", name);
    var endpoints = world.api().get(PodsOfServices.ENDPOINTS, "ns", name);
    var wanted = new ArrayList<String>();
    if (service.isPresent()
        && !service.get().object("spec").has("selector")
        && endpoints.isPresent()
        && !endpoints.get().object("metadata", "labels").has(SKIP)) {
      for (var subset : endpoints.get().array("subsets").objects()) {
        subset.array("addresses").objects().forEach(address -> wanted.add(address.string("ip")));
      }
    }
    return wanted;
  }

  private static void others(Simulation world) {
    var name = "s" + world.pick(3);
    switch (world.pick(8)) {
      case 0, 1 ->
          world
              .api()
              .create(
                  PodsOfServices.SERVICES,
                  "metadata: {namespace: ns, name: %s}\nspec: {ports: [{port: 80}]}"
                      .formatted(name));
      case 2 -> world.api().delete(PodsOfServices.SERVICES, "ns", name);
      case 3 -> {
        var spec =
            world.pick(2) == 0
                ? JsonObject.of("selector", JsonObject.of("app", "a"))
                : JsonObject.EMPTY;
        world.api().change(PodsOfServices.SERVICES, "ns", name, it -> it.with("spec", spec));
      }
      case 4, 5 ->
          world
              .api()
              .create(
                  PodsOfServices.ENDPOINTS,
                  JsonObject.of(
                      "metadata",
                      JsonObject.of("namespace", "ns", "name", name),
                      "subsets",
                      subsets(world)));
      case 6 ->
          world
              .api()
              .change(
                  PodsOfServices.ENDPOINTS,
                  "ns",
                  name,
                  it ->
                      world.pick(4) == 0
                          ? it.withAt(Json.of("true"), "metadata", "labels", SKIP)
                          : it.with("subsets", subsets(world)));
      default -> removeEndpoints(world, name);
    }
  }

  /** The garbage collector takes the slices along, if it is not too late. */
  private static void removeEndpoints(Simulation world, String name) {
    world.api().delete(PodsOfServices.ENDPOINTS, "ns", name);
    if (world.pick(2) == 0) {
      for (var slice : world.api().list(PodsOfServices.SLICES)) {
        if (SliceWriter.service(slice).name().equals(name)) {
          world.api().delete(PodsOfServices.SLICES, "ns", ObjectKey.of(slice).name());
        }
      }
    }
  }

  private static JsonArray subsets(Simulation world) {
    var addresses = new ArrayList<Json>();
    for (int i = world.pick(4); i > 0; i--) {
      addresses.add(JsonObject.of("ip", "192.0.2." + (10 * i + world.pick(10))));
    }
    var port = JsonObject.of("port", 80, "protocol", "TCP");
    return JsonArray.of(
        JsonObject.of("addresses", JsonArray.of(addresses), "ports", JsonArray.of(port)));
  }
}
