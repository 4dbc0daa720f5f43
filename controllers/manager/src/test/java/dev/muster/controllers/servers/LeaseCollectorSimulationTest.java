package dev.muster.controllers.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.Timestamps;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** API servers come, renew their Leases and go: those of the living stay, those of the dead go. */
class LeaseCollectorSimulationTest {
  private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";

  private final Set<String> living = new TreeSet<>();
  private int servers;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void onlyTheLeasesOfDeadServersGo(long seed) {
    var world =
        new Simulation(
            seed,
            (loops, clock) ->
                new LeaseCollector("kube-system", Duration.ofHours(1), clock).start(loops));
    world
        .within(Duration.ofHours(3))
        .observed(
            change -> {
              var name = ObjectKey.of(change.before()).name();
              if (living.contains(name) && !isExpired(world, name)) {
                world.violated(name + " lives and has renewed its Lease");
              }
            })
        .run(300, () -> others(world));
    assertThat(world.api().list(LEASES))
        .as("nobody renews any more, and what is no server's stays")
        .extracting(lease -> ObjectKey.of(lease).name())
        .isSubsetOf("of-somebody");
  }

  /** As the Lease says, before it was deleted just now. */
  private boolean isExpired(Simulation world, String name) {
    return renewed
        .getOrDefault(name, Instant.EPOCH)
        .plusSeconds(40)
        .isBefore(world.clock().instant());
  }

  private final Map<String, Instant> renewed = new HashMap<>();

  private void others(Simulation world) {
    switch (world.pick(6)) {
      case 0 -> {
        var name = "server-" + ++servers;
        if (living.size() < 3 && world.api().create(LEASES, lease(name, true))) {
          living.add(name);
          renew(world, name);
        }
      }
      case 1 -> {
        if (!living.isEmpty() && world.pick(3) == 0) {
          living.remove(world.pick(List.copyOf(living)));
        }
      }
      case 2 -> world.api().create(LEASES, lease("of-somebody", false));
      default -> living.forEach(name -> renew(world, name));
    }
  }

  private void renew(Simulation world, String name) {
    var now = world.clock().instant();
    if (world.api().get(LEASES, "kube-system", name).isEmpty()) {
      world.api().create(LEASES, lease(name, true));
    }
    renewed.put(name, now);
    world
        .api()
        .change(
            LEASES,
            "kube-system",
            name,
            lease -> lease.withAt(Json.of(Timestamps.format(now)), "spec", "renewTime"));
  }

  private static String lease(String name, boolean ofServer) {
    return """
    metadata: {namespace: kube-system, name: %s, labels: {%s: %s}}
    spec: {leaseDurationSeconds: 40}
    """
        .formatted(name, IdentityLease.LABEL, ofServer ? IdentityLease.LABEL_VALUE : "no");
  }
}
