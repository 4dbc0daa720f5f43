package dev.muster.controllers.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.simulation.SimulatedApi;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim that is deleted stays while a pod uses it, and not a moment longer than that. */
class ClaimProtectionSimulationTest {
  private static final String CLAIMS = "/api/v1/persistentvolumeclaims";
  private static final String PODS = "/api/v1/pods";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void aClaimStaysWhileAPodUsesIt(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new ClaimProtection().start(loops));
    world.observed(change -> check(world, change)).run(400, () -> others(world));
    for (var claim : world.api().list(CLAIMS)) {
      assertThat(Finalizers.has(claim, ClaimProtection.FINALIZER)).as("%s", claim).isTrue();
      assertThat(Finalizers.isDeleting(claim) && !isUsed(world, claim)).as("%s", claim).isFalse();
    }
  }

  private static boolean isUsed(Simulation world, JsonObject claim) {
    return world.api().list(PODS).stream().anyMatch(pod -> ClaimUsers.uses(pod, claim));
  }

  private static void check(Simulation world, SimulatedApi.Change change) {
    if (change.isEnd() && isUsed(world, change.before())) {
      world.violated(change.before() + " goes while it is used");
    }
  }

  /** The API server lets no new pod use a claim that is being deleted: nodes would not start it. */
  private static void others(Simulation world) {
    var claim = "c" + world.pick(3);
    switch (world.pick(6)) {
      case 0, 1 ->
          world.api().create(CLAIMS, "metadata: {namespace: ns, name: %s}".formatted(claim));
      case 2 -> world.api().delete(CLAIMS, "ns", claim);
      case 3, 4 -> {
        var living =
            world.api().get(CLAIMS, "ns", claim).filter(found -> !Finalizers.isDeleting(found));
        if (living.isPresent()) {
          world
              .api()
              .create(
                  PODS,
                  """
                  metadata: {namespace: ns, name: p%d}
                  spec: {nodeName: n, volumes: [{persistentVolumeClaim: {claimName: %s}}]}
                  """
                      .formatted(world.pick(4), claim));
        }
      }
      default ->
          world
              .pick(PODS)
              .ifPresent(pod -> world.api().delete(PODS, "ns", ObjectKey.of(pod).name()));
    }
  }
}
