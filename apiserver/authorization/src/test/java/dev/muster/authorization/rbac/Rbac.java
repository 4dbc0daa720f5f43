package dev.muster.authorization.rbac;

import dev.muster.authorization.FakeCluster;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;

/** Short ways to write RBAC objects into a fake cluster. */
final class Rbac {
  final FakeCluster cluster = new FakeCluster();

  static JsonObject rule(String group, String resources, String verbs) {
    return JsonObject.of(
        "verbs", texts(verbs), "apiGroups", texts(group), "resources", texts(resources));
  }

  static JsonObject named(JsonObject rule, String names) {
    return rule.with("resourceNames", texts(names));
  }

  static JsonObject paths(String paths, String verbs) {
    return JsonObject.of("verbs", texts(verbs), "nonResourceURLs", texts(paths));
  }

  static JsonArray texts(String commaSeparated) {
    return JsonArray.ofStrings(List.of(commaSeparated.split(",", -1)));
  }

  static JsonObject role(String namespace, String name, JsonObject... rules) {
    var metadata = JsonObject.builder().put("name", name).putIf("namespace", namespace).build();
    return JsonObject.of("metadata", metadata, "rules", JsonArray.of(rules));
  }

  static JsonObject binding(
      String namespace, String name, String kind, String role, JsonObject... subjects) {
    var metadata = JsonObject.builder().put("name", name).putIf("namespace", namespace).build();
    return JsonObject.of(
        "metadata", metadata,
        "subjects", JsonArray.of(subjects),
        "roleRef",
            JsonObject.of("apiGroup", "rbac.authorization.k8s.io", "kind", kind, "name", role));
  }

  static JsonObject user(String name) {
    return JsonObject.of("kind", "User", "name", name);
  }

  static JsonObject group(String name) {
    return JsonObject.of("kind", "Group", "name", name);
  }

  static JsonObject account(String namespace, String name) {
    return JsonObject.builder()
        .put("kind", "ServiceAccount")
        .put("name", name)
        .putIf("namespace", namespace)
        .build();
  }

  Rbac clusterRole(String name, JsonObject... rules) {
    cluster.put(RbacIndex.CLUSTER_ROLES, role("", name, rules));
    return this;
  }

  Rbac clusterBinding(String name, String role, JsonObject... subjects) {
    cluster.put(RbacIndex.CLUSTER_ROLE_BINDINGS, binding("", name, "ClusterRole", role, subjects));
    return this;
  }

  Rbac role(String namespace, String name, String group, String resources, String verbs) {
    cluster.put(RbacIndex.ROLES, role(namespace, name, rule(group, resources, verbs)));
    return this;
  }

  Rbac roleBinding(
      String namespace, String name, String kind, String role, JsonObject... subjects) {
    cluster.put(RbacIndex.ROLE_BINDINGS, binding(namespace, name, kind, role, subjects));
    return this;
  }

  RbacAuthorizer authorizer() {
    return new RbacAuthorizer(() -> cluster);
  }
}
