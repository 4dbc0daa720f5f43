package dev.muster.controllers.storageversions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.SimulatedApi;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonObject;
import dev.muster.model.storageversion.StorageVersionStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers come, say what they store, and go: what a living one said stays, all else goes. */
class StorageVersionCollectorSimulationTest {
  private static final String VERSIONS = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";

  private final Set<String> living = new HashSet<>();
  private int servers;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void onlyWhatLivingServersSayStays(long seed) {
    var world =
        new Simulation(
            seed,
            (loops, clock) -> new StorageVersionCollector("kube-system", clock).collect(loops));
    world.observed(change -> check(world, change)).run(300, () -> others(world));
    for (var version : world.api().list(VERSIONS)) {
      assertThat(StorageVersionStatus.entries(version))
          .as("%s", version)
          .isNotEmpty()
          .allMatch(entry -> living.contains(StorageVersionStatus.server(entry)));
    }
  }

  private void check(Simulation world, SimulatedApi.Change change) {
    var after = change.after();
    var left = StorageVersionStatus.entries(after);
    for (var entry : StorageVersionStatus.entries(change.before())) {
      if (living.contains(StorageVersionStatus.server(entry)) && !left.contains(entry)) {
        world.violated(entry + " goes");
      }
    }
  }

  private void others(Simulation world) {
    switch (world.pick(6)) {
      case 0, 1 -> {
        if (living.size() < 3) {
          var server = "server-" + ++servers;
          living.add(server);
          lease(world, server);
        }
      }
      case 2 -> {
        if (!living.isEmpty() && world.pick(3) == 0) {
          var server = world.pick(List.copyOf(new TreeSet<>(living)));
          living.remove(server);
          world.api().delete(LEASES, "kube-system", server);
        }
      }
      case 3 -> {
        // Somebody deletes the Lease of a server that lives, which makes it again.
        for (var server : List.copyOf(living)) {
          world.api().delete(LEASES, "kube-system", server);
          lease(world, server);
        }
      }
      default -> {
        if (!living.isEmpty()) {
          say(world, world.pick(List.copyOf(new TreeSet<>(living))));
        }
      }
    }
  }

  private static void lease(Simulation world, String server) {
    world
        .api()
        .create(
            LEASES,
            "metadata: {namespace: kube-system, name: %s, labels: {%s: %s}}"
                .formatted(server, IdentityLease.LABEL, IdentityLease.LABEL_VALUE));
  }

  private static void say(Simulation world, String server) {
    var name = "apps.deployments" + world.pick(2);
    world.api().create(VERSIONS, "metadata: {name: %s}\nstatus: {}".formatted(name));
    var entry = JsonObject.of("apiServerID", server, "encodingVersion", "v1");
    world
        .api()
        .change(
            VERSIONS,
            "",
            name,
            version -> {
              var entries = new ArrayList<>(StorageVersionStatus.entries(version));
              if (!entries.contains(entry)) {
                entries.add(entry);
              }
              return StorageVersionStatus.with(version, entries, world.clock().instant());
            });
  }
}
