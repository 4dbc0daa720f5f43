package dev.muster.controllers.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Roles come, change and go; in the end each aggregated one has the rules of those it selects. */
class ClusterRoleAggregationSimulationTest {
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void rulesAreThoseOfTheSelectedInTheEnd(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new ClusterRoleAggregation().start(loops));
    aggregate(world, "all", "part", "sum");
    aggregate(world, "sum", "sum", "whole");
    world.run(300, () -> others(world));
    var roles = world.api().list(ROLES);
    for (var role : roles) {
      if (role.has("aggregationRule")) {
        assertThat(role.array("rules").asList())
            .as("%s", role)
            .containsExactlyElementsOf(ClusterRoleAggregation.rules(role, roles).asList());
      }
    }
  }

  private static void aggregate(Simulation world, String name, String selects, String label) {
    world
        .api()
        .create(
            ROLES,
            """
            metadata: {name: %s, labels: {is: %s}}
            aggregationRule: {clusterRoleSelectors: [{matchLabels: {is: %s}}]}
            rules: null
            """
                .formatted(name, label, selects));
  }

  private static void others(Simulation world) {
    var name = "r" + world.pick(4);
    var resources = new ArrayList<>(List.of("pods", "nodes", "leases"));
    switch (world.pick(4)) {
      case 0, 1 ->
          world
              .api()
              .create(
                  ROLES,
                  """
                  metadata: {name: %s, labels: {is: %s}}
                  rules: [{verbs: [get], resources: [%s]}]
                  """
                      .formatted(
                          name, world.pick(List.of("part", "sum", "none")), world.pick(resources)));
      case 2 -> world.api().delete(ROLES, "", name);
      default -> {
        var all = world.pick(List.of("all", "sum"));
        world.api().delete(ROLES, "", all);
        aggregate(
            world, all, all.equals("all") ? "part" : "sum", all.equals("all") ? "sum" : "whole");
      }
    }
  }
}
