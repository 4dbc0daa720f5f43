package dev.muster.embedded;

import dev.muster.replica.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * The objects that servers create in a new cluster after they are ready. Tests begin when all
 * exist, so that only the test changes the cluster and every reset leads to the same state.
 *
 * @param servers the number of servers in the cluster
 */
record StartConditions(int servers) {
  private static final String SYSTEM = "kube-system";

  /** A description of what is missing; empty when everything exists. */
  Optional<String> missing(Snapshot snapshot) {
    for (var name :
        List.of(
            "kube-apiserver-legacy-service-account-token-tracking",
            "extension-apiserver-authentication")) {
      if (snapshot.collection("/configmaps").get(SYSTEM, name) == null) {
        return Optional.of("ConfigMap " + name);
      }
    }
    for (var schema : snapshot.collection("/flowschemas").all()) {
      if (schema.tree().object("status").array("conditions").isEmpty()) {
        return Optional.of("status of FlowSchema " + schema.name());
      }
    }
    if (servers > 1
        && snapshot.collection("/leases").in("kube-apiserver-lease").count() < servers) {
      return Optional.of("identity Leases of all servers");
    }
    return Optional.empty();
  }
}
