package dev.muster.controllers.roles;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.SimulatedApi;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRoleAggregationTest {
  @Test
  void rulesComeBySelectorThenByNameAndEachOnce() {
    var all =
        object(
            """
            metadata: {name: all, labels: {to: second}}
            aggregationRule:
              clusterRoleSelectors:
              - matchLabels: {to: first}
              - matchExpressions: [{key: to, operator: In, values: [first, second]}]
            rules: [{verbs: [get], resources: [its-own]}]
            """);
    var roles =
        List.of(
            role("b", "first", "pods"),
            role("a", "second", "secrets"),
            role("c", "first", "nodes"),
            role("d", "second", "pods"),
            role("e", "third", "leases"),
            all);
    assertThat(ClusterRoleAggregation.rules(all, roles).objects())
        .extracting(rule -> rule.array("resources").strings().getFirst())
        .containsExactly("pods", "nodes", "secrets");
  }

  @Test
  void aRoleThatSelectsNothingAndHasNoRulesIsLeftAlone() {
    var roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    var world = new Simulation(1, (loops, clock) -> new ClusterRoleAggregation().start(loops));
    world
        .api()
        .create(
            roles,
            """
            metadata: {name: all}
            aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: all}}]}
            rules: null
            """);
    var written = new ArrayList<SimulatedApi.Change>();
    world.observed(written::add).finish();
    assertThat(written).isEmpty();
  }

  private static JsonObject role(String name, String to, String resource) {
    return object(
        """
        metadata: {name: %s, labels: {to: %s}}
        rules: [{verbs: [get], resources: [%s]}]
        """
            .formatted(name, to, resource));
  }
}
