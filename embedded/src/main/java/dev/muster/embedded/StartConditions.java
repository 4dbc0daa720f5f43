package dev.muster.embedded;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What servers and controllers make in a new cluster after the server is ready. Tests begin when
 * all of it is there, so that nothing but the test changes the cluster and a reset leads to the
 * same state each time.
 *
 * @param controllers the names of those that run
 */
record StartConditions(Set<String> controllers) {
  private static final String CONFIG_MAPS = "/configmaps";
  private static final String SYSTEM = "kube-system";

  /** What is still missing, in words; nothing when all is there. */
  Optional<String> missing(Snapshot snapshot) {
    return Stream.of(
            fromServer(snapshot), fromNamespaces(snapshot), fromAggregation(snapshot).stream())
        .flatMap(all -> all)
        .findFirst();
  }

  private static Stream<String> fromServer(Snapshot snapshot) {
    var missing = Stream.<String>builder();
    for (var name :
        List.of(
            "kube-apiserver-legacy-service-account-token-tracking",
            "extension-apiserver-authentication")) {
      if (snapshot.collection(CONFIG_MAPS).get(SYSTEM, name) == null) {
        missing.add("ConfigMap " + name);
      }
    }
    for (var schema : objects(snapshot, "/flowschemas")) {
      if (schema.object("status").array("conditions").isEmpty()) {
        missing.add("status of FlowSchema " + name(schema));
      }
    }
    return missing.build();
  }

  private Stream<String> fromNamespaces(Snapshot snapshot) {
    var missing = Stream.<String>builder();
    for (var namespace : objects(snapshot, "/namespaces")) {
      var name = name(namespace);
      if (controllers.contains("serviceaccount-controller")
          && snapshot.collection("/serviceaccounts").get(name, "default") == null) {
        missing.add("ServiceAccount default in " + name);
      }
      if (controllers.contains("root-ca-certificate-publisher-controller")
          && snapshot.collection(CONFIG_MAPS).get(name, "kube-root-ca.crt") == null) {
        missing.add("ConfigMap kube-root-ca.crt in " + name);
      }
    }
    return missing.build();
  }

  /** Roles that consist of others have all rules of those. */
  private Optional<String> fromAggregation(Snapshot snapshot) {
    if (!controllers.contains("clusterrole-aggregation-controller")) {
      return Optional.empty();
    }
    var roles = objects(snapshot, "/clusterroles");
    return roles.stream()
        .filter(role -> role.has("aggregationRule"))
        .filter(role -> !isComplete(role, roles))
        .map(role -> "rules of ClusterRole " + name(role))
        .findFirst();
  }

  private static boolean isComplete(JsonObject aggregated, List<JsonObject> roles) {
    var rules = aggregated.array("rules").asList();
    return aggregated.object("aggregationRule").array("clusterRoleSelectors").objects().stream()
        .flatMap(selector -> roles.stream().filter(role -> isSelected(role, selector)))
        .filter(role -> !name(role).equals(name(aggregated)))
        .allMatch(role -> rules.containsAll(role.array("rules").asList()));
  }

  private static boolean isSelected(JsonObject role, JsonObject selector) {
    var labels = role.object("metadata", "labels").strings();
    return labels.entrySet().containsAll(selector.object("matchLabels").strings().entrySet());
  }

  private static List<JsonObject> objects(Snapshot snapshot, String storage) {
    return StreamSupport.stream(snapshot.collection(storage).all().spliterator(), false)
        .map(stored -> stored.tree())
        .toList();
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }
}
