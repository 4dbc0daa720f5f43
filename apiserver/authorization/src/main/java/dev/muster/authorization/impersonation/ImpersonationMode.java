package dev.muster.authorization.impersonation;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** An impersonation mode with its verb. */
enum ImpersonationMode {
  ASSOCIATED_NODE("associated-node"),
  ARBITRARY_NODE("arbitrary-node"),
  SERVICE_ACCOUNT("serviceaccount"),
  USER_INFO("user-info"),
  /** The verb {@code impersonate}, which allows everything. */
  LEGACY("");

  private final String mode;

  ImpersonationMode(String mode) {
    this.mode = mode;
  }

  String mode() {
    return mode;
  }

  boolean constrained() {
    return this != LEGACY;
  }

  String verb() {
    return constrained() ? "impersonate:" + mode : "impersonate";
  }

  /**
   * The user that the authorizer sees. For {@code ASSOCIATED_NODE} its extra values are replaced by
   * their keys, so that rules cannot depend on the node: an agent has the same rights on all nodes.
   */
  User requester(User real) {
    if (this != ASSOCIATED_NODE) {
      return real;
    }
    var known = List.copyOf(new TreeSet<>(real.extra().keySet()));
    return new User(
        real.name(),
        real.uid(),
        real.groups(),
        Map.of("authentication.kubernetes.io/associated-node-keys", known));
  }

  /** The API group under which rules name users and groups. */
  String groupOfUsers() {
    return constrained() ? "authentication.k8s.io" : "";
  }

  Attributes attributes(
      User requester,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return Attributes.resource(
        requester, verb(), group, "v1", resource, subresource, namespace, name);
  }
}
