package dev.muster.controllers.roles;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.ControlLoop;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Works on one virtual thread. A ClusterRole with an aggregation rule has the rules of all roles
 * that it selects, and no others.
 */
public final class ClusterRoleAggregation implements Controller {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** Any role may concern any other, so all are looked at together, once for many changes. */
  private static final String ALL = "all";

  @Override
  public String name() {
    return "clusterrole-aggregation-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return ControlLoop.<String>start(name(), 1, LONGEST_PAUSE, key -> aggregate(client))
        .follow(client.rbac().clusterRoles(), role -> Optional.of(ALL));
  }

  private boolean aggregate(KubernetesClient client) {
    var roles = client.rbac().clusterRoles().list().getItems();
    for (var role : roles) {
      if (role.getAggregationRule() != null
          && role.getMetadata().getDeletionTimestamp() == null
          && !rules(role, roles).equals(role.getRules())) {
        apply(client, role, rules(role, roles));
      }
    }
    return true;
  }

  /** Only the rules become the controller's own; whoever held them before loses them. */
  private void apply(KubernetesClient client, ClusterRole role, List<PolicyRule> rules) {
    var applied =
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withName(role.getMetadata().getName())
            .withUid(role.getMetadata().getUid())
            .endMetadata()
            .withRules(rules)
            .build();
    client
        .rbac()
        .clusterRoles()
        .resource(applied)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(name())
                .withForce(true)
                .build());
  }

  /** The rules of the selected, selector by selector, by name, each rule once. */
  static List<PolicyRule> rules(ClusterRole aggregated, List<ClusterRole> roles) {
    var rules = new LinkedHashSet<PolicyRule>();
    var sorted =
        roles.stream()
            .filter(role -> !isSame(role, aggregated))
            .sorted(Comparator.comparing(role -> role.getMetadata().getName()))
            .toList();
    for (var selector : aggregated.getAggregationRule().getClusterRoleSelectors()) {
      for (var role : sorted) {
        var labels =
            Objects.requireNonNullElse(role.getMetadata().getLabels(), Map.<String, String>of());
        if (Selectors.matches(selector, labels)) {
          rules.addAll(role.getRules());
        }
      }
    }
    return new ArrayList<>(rules);
  }

  private static boolean isSame(ClusterRole role, ClusterRole other) {
    return role.getMetadata().getName().equals(other.getMetadata().getName());
  }
}
