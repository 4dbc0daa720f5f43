package dev.muster.registry.rules.rbac;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of roles and bindings; their names may hold nearly anything. */
public final class RbacRules {
  static final String GROUP = "rbac.authorization.k8s.io";

  private RbacRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "Role"), RoleRules.ROLE,
        new GroupKind(GROUP, "RoleBinding"), BindingRules.BINDING,
        new GroupKind(GROUP, "ClusterRole"), RoleRules.CLUSTER_ROLE,
        new GroupKind(GROUP, "ClusterRoleBinding"), BindingRules.CLUSTER_BINDING);
  }
}
