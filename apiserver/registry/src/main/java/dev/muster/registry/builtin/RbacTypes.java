package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.rbac.RoleBindingRules;
import dev.muster.validation.rbac.RoleRules;
import java.util.List;

/** The types of {@code rbac.authorization.k8s.io}. */
final class RbacTypes implements TypeRules {
  private RbacTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new RbacTypes();
    var v1 = new TypeTable("rbac.authorization.k8s.io/v1", 17000, 15, rules);
    v1.cluster("clusterrolebindings", "ClusterRoleBinding");
    v1.cluster("clusterroles", "ClusterRole");
    v1.namespaced("rolebindings", "RoleBinding");
    v1.namespaced("roles", "Role");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "clusterrolebindings" -> RoleBindingRules.CLUSTER_BINDING;
      case "clusterroles" -> RoleRules.CLUSTER_ROLE;
      case "rolebindings" -> RoleBindingRules.BINDING;
      case "roles" -> RoleRules.ROLE;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "clusterrolebindings", "rolebindings" -> GroupTables.roleBinding();
      default -> TableSpec.PLAIN;
    };
  }
}
