package dev.muster.controllers.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRoleAggregationTest {
  @Test
  void rulesComeBySelectorThenByNameAndEachOnce() {
    var all =
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withName("all")
            .addToLabels("to", "second")
            .endMetadata()
            .withNewAggregationRule()
            .addNewClusterRoleSelector()
            .addToMatchLabels("to", "first")
            .endClusterRoleSelector()
            .addNewClusterRoleSelector()
            .addNewMatchExpression()
            .withKey("to")
            .withOperator("In")
            .withValues("first", "second")
            .endMatchExpression()
            .endClusterRoleSelector()
            .endAggregationRule()
            .withRules(rule("its-own"))
            .build();
    var roles =
        List.of(
            role("b", "first", "pods"),
            role("a", "second", "secrets"),
            role("c", "first", "nodes"),
            role("d", "second", "pods"),
            role("e", "third", "leases"),
            all);
    assertThat(ClusterRoleAggregation.rules(all, roles))
        .containsExactly(rule("pods"), rule("nodes"), rule("secrets"));
  }

  private static ClusterRole role(String name, String to, String resource) {
    return new ClusterRoleBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("to", to)
        .endMetadata()
        .withRules(rule(resource))
        .build();
  }

  private static PolicyRule rule(String resource) {
    return new PolicyRuleBuilder().withVerbs("get").withResources(resource).build();
  }
}
