package dev.muster.embedded;

import dev.muster.replica.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * What servers make in a new cluster when they are ready already. Tests begin when all of it is
 * there, so that nothing but the test changes the cluster and a reset leads to the same state each
 * time.
 *
 * @param servers how many servers the cluster has
 */
record StartConditions(int servers) {
  private static final String SYSTEM = "kube-system";

  /** What is still missing, in words; nothing when all is there. */
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
