package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.rbac.RoleBindingRules;
import dev.muster.registry.rules.rbac.RoleRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code rbac.authorization.k8s.io}. */
final class RbacTypes {
  private RbacTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("rbac.authorization.k8s.io/v1", 17000, 15);
    v1.cluster("clusterrolebindings", "ClusterRoleBinding", RoleBindingRules.CLUSTER_BINDING)
        .table(GroupTables.roleBinding());
    v1.cluster("clusterroles", "ClusterRole", RoleRules.CLUSTER_ROLE);
    v1.namespaced("rolebindings", "RoleBinding", RoleBindingRules.BINDING)
        .table(GroupTables.roleBinding());
    v1.namespaced("roles", "Role", RoleRules.ROLE);
    return v1.builders();
  }
}
