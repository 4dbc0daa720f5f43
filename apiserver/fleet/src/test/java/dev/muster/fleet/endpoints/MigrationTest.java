package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fleets that change from one type of reconciler to another, server by server, with and without
 * kube-apiservers beside, while a user writes entries into the ConfigMap through one of those.
 */
class MigrationTest {
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final EndpointOptions CONFIGMAP = LEASE.withType(ReconcilerType.CONFIGMAP);
  private static final String ENTRIES = "CONFIGMAP/" + ConfigMapRecords.NAME;

  @ParameterizedTest
  @CsvSource({"lease, false", "lease, true", "configmap, false", "configmap, true"})
  void rollsServerByServerInAnyOrder(String from, boolean besideKubeApiserver) {
    var before = from.equals("lease") ? LEASE : CONFIGMAP;
    var after = from.equals("lease") ? CONFIGMAP : LEASE;
    for (int seed = 0; seed < Simulation.seeds(30); seed++) {
      var simulation = new Simulation(seed);
      simulation.grace = Duration.ofMinutes(2);
      if (besideKubeApiserver) {
        simulation.startOld("192.0.2.201", 6443);
      }
      for (int i = 1; i <= 3; i++) {
        simulation.start(i, before);
      }
      simulation.settle();
      for (int i : List.of(2, 1, 3)) {
        forge(simulation);
        var server =
            simulation.servers.stream()
                .filter(one -> one.addresses.contains("192.0.2." + i))
                .findFirst()
                .orElseThrow();
        if (simulation.random.nextBoolean()) {
          simulation.stop(server);
        } else {
          simulation.kill(server);
        }
        simulation.run(Duration.ofMillis(simulation.random.nextInt(20_000)));
        forge(simulation);
        simulation.start("s" + i + "-again", "192.0.2." + i, 6443, Simulation.RANGES, after);
        simulation.run(Duration.ofMillis(simulation.random.nextInt(20_000)));
        assertThat(simulation.world.published().toString()).doesNotContain("192.0.2.66");
      }
      simulation.run(Duration.ofMinutes(3));
      simulation.quiet(Duration.ofMinutes(2));
      simulation.checkSettled(6443);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  /** An entry that looks like a living server's, written anew all the time. */
  private static void forge(Simulation simulation) {
    var world = simulation.world;
    for (int i = 0; i < 4; i++) {
      var now = Instant.parse("2026-01-01T00:00:00Z").plus(world.now()).toString();
      var present = world.object(ENTRIES);
      if (present == null) {
        world.store(
            "hand",
            ENTRIES,
            ConfigMapRecords.configMap("default", ConfigMapRecords.NAME, JsonObject.EMPTY));
        present = world.existing(ENTRIES);
      }
      world.store(
          "hand",
          ENTRIES,
          present
              .withAt(Json.of(now), "data", "ip-192-0-2-66-6443")
              .withAt(Json.of(now), "data", "ip-192-0-2-1-9"));
      simulation.run(Duration.ofSeconds(2));
    }
  }
}
