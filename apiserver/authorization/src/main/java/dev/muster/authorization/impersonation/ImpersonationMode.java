package dev.muster.authorization.impersonation;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A way to be allowed to act as somebody else, with its verb. */
enum ImpersonationMode {
  ASSOCIATED_NODE("associated-node"),
  ARBITRARY_NODE("arbitrary-node"),
  SERVICE_ACCOUNT("serviceaccount"),
  USER_INFO("user-info"),
  /** Everything by the one verb {@code impersonate}. */
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
   * Who is asked about. An agent has the same rights on all of its nodes, so nobody is told on
   * which one it runs, only what is known of it.
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
