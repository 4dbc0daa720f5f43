package dev.muster.multicluster.identity;

import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;

/**
 * The ClusterRoles for cluster properties: to read them, to set the cluster ID, to decide on
 * membership.
 */
public final class IdentityRoles {
  private static final String PLURAL = "clusterproperties";

  private IdentityRoles() {}

  static List<ClusterRole> all() {
    return List.of(
        role(
            "muster:cluster-property-viewer",
            Map.of("rbac.authorization.k8s.io/aggregate-to-view", "true"),
            rule(List.of("get", "list", "watch"), List.of())),
        role(
            "muster:cluster-id-editor",
            Map.of(),
            rule(
                List.of("get", "update", "patch", "delete"),
                List.of(WellKnownProperties.CLUSTER_ID))),
        role(
            "muster:clusterset-membership",
            Map.of(),
            rule(List.of("create"), List.of()),
            rule(
                List.of("get", "update", "patch", "delete", PropertyRules.MEMBERSHIP_VERB),
                List.of(WellKnownProperties.CLUSTER_SET)),
            rule(List.of("get"), List.of(WellKnownProperties.CLUSTER_ID))));
  }

  /** Creates missing roles; existing ones stay unchanged. */
  static void ensure(KubernetesClient client) {
    for (var role : all()) {
      var roles = client.rbac().clusterRoles();
      if (roles.withName(role.getMetadata().getName()).get() == null) {
        try {
          roles.resource(role).create();
        } catch (KubernetesClientException e) {
          if (e.getCode() != 409) {
            throw e;
          }
        }
      }
    }
  }

  private static PolicyRule rule(List<String> verbs, List<String> names) {
    return new PolicyRuleBuilder()
        .withApiGroups(ClusterProperty.GROUP)
        .withResources(PLURAL)
        .withVerbs(verbs)
        .withResourceNames(names)
        .build();
  }

  private static ClusterRole role(String name, Map<String, String> labels, PolicyRule... rules) {
    return new ClusterRoleBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .withRules(rules)
        .build();
  }
}
