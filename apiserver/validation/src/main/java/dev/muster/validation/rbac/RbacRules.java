package dev.muster.validation.rbac;

/** What roles and bindings have in common; their names may hold nearly anything. */
final class RbacRules {
  static final String GROUP = "rbac.authorization.k8s.io";

  private RbacRules() {}
}
