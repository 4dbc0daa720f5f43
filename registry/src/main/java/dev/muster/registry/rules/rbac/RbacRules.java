package dev.muster.registry.rules.rbac;

import dev.muster.model.GroupKind;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rules;
import java.util.Map;

/** The strategies of roles and bindings; their names may hold nearly anything. */
public final class RbacRules {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private static final Strategy NAMESPACED =
      ResourceRules.namespaced()
          .create(Rules.namespacedMetadata(NameRule.PATH_SEGMENT))
          .update(Rules.metadataUpdate(), Rules.namespacedMetadata(NameRule.PATH_SEGMENT))
          .createsOnUpdate()
          .build();

  private static final Strategy CLUSTER =
      ResourceRules.cluster()
          .create(Rules.clusterMetadata(NameRule.PATH_SEGMENT))
          .update(Rules.metadataUpdate(), Rules.clusterMetadata(NameRule.PATH_SEGMENT))
          .createsOnUpdate()
          .build();

  private RbacRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "Role"), NAMESPACED,
        new GroupKind(GROUP, "RoleBinding"), NAMESPACED,
        new GroupKind(GROUP, "ClusterRole"), CLUSTER,
        new GroupKind(GROUP, "ClusterRoleBinding"), CLUSTER);
  }
}
