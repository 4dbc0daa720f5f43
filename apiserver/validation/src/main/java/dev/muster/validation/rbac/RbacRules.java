package dev.muster.validation.rbac;

/** Rules common to roles and bindings, whose names may contain nearly any character. */
final class RbacRules {
  static final String GROUP = "rbac.authorization.k8s.io";

  private RbacRules() {}
}
