package dev.muster.authorization.rbac;

import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.rbac.Bindings.Grant;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The compiled roles and bindings of one state of the RBAC objects. Thread-safe. A namespace is
 * compiled at its first check after a change, so the cost of a change does not depend on the number
 * of namespaces. It holds no view, which would keep an old snapshot in memory.
 */
final class RbacIndex {
  static final String ROLES = "/roles";
  static final String ROLE_BINDINGS = "/rolebindings";
  static final String CLUSTER_ROLES = "/clusterroles";
  static final String CLUSTER_ROLE_BINDINGS = "/clusterrolebindings";
  private static final CompiledRole NOTHING = new CompiledRole(List.of());
  private static final String GROUP = ".rbac.authorization.k8s.io";

  private final long roles;
  private final long roleBindings;
  private final long clusterRoles;
  private final long clusterRoleBindings;
  private final ConcurrentHashMap<String, CompiledRole> compiledClusterRoles;
  private final ConcurrentHashMap<String, Bindings> compiled;

  private RbacIndex(
      ClusterView view,
      ConcurrentHashMap<String, CompiledRole> compiledClusterRoles,
      ConcurrentHashMap<String, Bindings> compiled) {
    this.roles = view.changed(ROLES);
    this.roleBindings = view.changed(ROLE_BINDINGS);
    this.clusterRoles = view.changed(CLUSTER_ROLES);
    this.clusterRoleBindings = view.changed(CLUSTER_ROLE_BINDINGS);
    this.compiledClusterRoles = compiledClusterRoles;
    this.compiled = compiled;
  }

  /** The last revision at which a role or a binding changed. */
  static long changed(ClusterView view) {
    return Math.max(
        Math.max(view.changed(ROLES), view.changed(ROLE_BINDINGS)),
        Math.max(view.changed(CLUSTER_ROLES), view.changed(CLUSTER_ROLE_BINDINGS)));
  }

  static RbacIndex of(ClusterView view) {
    return new RbacIndex(view, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }

  /** An index for that view, which keeps the parts that are still valid. */
  RbacIndex next(ClusterView view) {
    if (view.changed(CLUSTER_ROLES) != clusterRoles) {
      return of(view);
    }
    var kept = new ConcurrentHashMap<String, Bindings>();
    boolean sameNamespaces =
        view.changed(ROLES) == roles && view.changed(ROLE_BINDINGS) == roleBindings;
    boolean sameCluster = view.changed(CLUSTER_ROLE_BINDINGS) == clusterRoleBindings;
    if (sameNamespaces) {
      kept.putAll(compiled);
      kept.remove("");
    }
    var cluster = compiled.get("");
    if (sameCluster && cluster != null) {
      kept.put("", cluster);
    }
    return new RbacIndex(view, compiledClusterRoles, kept);
  }

  boolean isFor(ClusterView view) {
    return view.changed(ROLES) == roles
        && view.changed(ROLE_BINDINGS) == roleBindings
        && view.changed(CLUSTER_ROLES) == clusterRoles
        && view.changed(CLUSTER_ROLE_BINDINGS) == clusterRoleBindings;
  }

  /**
   * The bindings of a namespace; "" for cluster role bindings. The view must be one that this index
   * is for. Namespaces without bindings are not cached, because clients can ask for names that do
   * not exist.
   */
  Bindings bindings(String namespace, ClusterView view) {
    var known = compiled.get(namespace);
    if (known == null) {
      known = compile(namespace, view);
      if (known != Bindings.NONE) {
        compiled.put(namespace, known);
      }
    }
    return known;
  }

  /** Whether the user's grants in a namespace are compiled and few. */
  boolean isSmall(String namespace, User user, ClusterView view) {
    var known = compiled.get(namespace);
    if (known != null) {
      return known.isSmall(user);
    }
    return view.isEmpty(namespace.isEmpty() ? CLUSTER_ROLE_BINDINGS : ROLE_BINDINGS, namespace);
  }

  private Bindings compile(String namespace, ClusterView view) {
    var bindings = new Bindings.Builder();
    var collection = namespace.isEmpty() ? CLUSTER_ROLE_BINDINGS : ROLE_BINDINGS;
    int order = 0;
    for (var binding : view.list(collection, namespace)) {
      add(bindings, order++, binding, namespace, view);
    }
    return bindings.build();
  }

  private void add(
      Bindings.Builder bindings,
      int order,
      JsonObject binding,
      String namespace,
      ClusterView view) {
    var roleRef = binding.object("roleRef");
    var role = role(roleRef, namespace, view);
    var error = role == null ? unresolved(roleRef) : "";
    var granted = role == null ? NOTHING : role;
    var seen = new HashSet<String>();
    for (var subject : binding.array("subjects").objects()) {
      var name = subject.string("name");
      var kind = subject.string("kind");
      var grant = new Grant(order, granted, describe(binding, subject, namespace), error);
      switch (kind) {
        case "User" -> {
          if (seen.add("user " + name)) {
            bindings.grantUser(name, grant);
          }
        }
        case "Group" -> {
          if (seen.add("group " + name)) {
            bindings.grantGroup(name, grant);
          }
        }
        case "ServiceAccount" -> {
          var own = subject.string("namespace");
          var account = own.isEmpty() ? namespace : own;
          var user = User.SERVICE_ACCOUNT_PREFIX + account + ":" + name;
          if (!account.isEmpty() && seen.add("user " + user)) {
            bindings.grantUser(user, grant);
          }
        }
        default -> {
          // A subject of an unknown kind grants nothing.
        }
      }
    }
  }

  /** The rules of a role reference, or null when the role does not exist. */
  @Nullable List<PolicyRule> rules(JsonObject roleRef, String namespace, ClusterView view) {
    var role = role(roleRef, namespace, view);
    return role == null ? null : role.rules();
  }

  private @Nullable CompiledRole role(JsonObject roleRef, String namespace, ClusterView view) {
    var name = roleRef.string("name");
    return switch (roleRef.string("kind")) {
      case "ClusterRole" -> clusterRole(name, view);
      case "Role" -> {
        var role = view.get(ROLES, namespace, name);
        yield role == null ? null : new CompiledRole(PolicyRule.allOf(role));
      }
      default -> null;
    };
  }

  private @Nullable CompiledRole clusterRole(String name, ClusterView view) {
    var known = compiledClusterRoles.get(name);
    if (known == null) {
      var role = view.get(CLUSTER_ROLES, "", name);
      if (role == null) {
        return null;
      }
      known = new CompiledRole(PolicyRule.allOf(role));
      compiledClusterRoles.put(name, known);
    }
    return known;
  }

  static String unresolved(JsonObject roleRef) {
    return switch (roleRef.string("kind")) {
      case "Role" -> "role" + GROUP + " " + quote(roleRef.string("name")) + " not found";
      case "ClusterRole" ->
          "clusterrole" + GROUP + " " + quote(roleRef.string("name")) + " not found";
      default -> "unsupported role reference kind: " + quote(roleRef.string("kind"));
    };
  }

  private static Decision describe(JsonObject binding, JsonObject subject, String namespace) {
    var name = binding.object("metadata").string("name");
    var roleRef = binding.object("roleRef");
    var subjectName = subject.string("name");
    if (subject.string("kind").equals("ServiceAccount")) {
      var own = subject.string("namespace");
      subjectName += "/" + (own.isEmpty() ? namespace : own);
    }
    var which =
        namespace.isEmpty()
            ? "ClusterRoleBinding " + quote(name)
            : "RoleBinding " + quote(name + "/" + namespace);
    return Decision.allow(
        "RBAC: allowed by %s of %s %s to %s %s"
            .formatted(
                which,
                roleRef.string("kind"),
                quote(roleRef.string("name")),
                subject.string("kind"),
                quote(subjectName)));
  }

  private static String quote(String text) {
    return Json.of(text).toString();
  }
}
