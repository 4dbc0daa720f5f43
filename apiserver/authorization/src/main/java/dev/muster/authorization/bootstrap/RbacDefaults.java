package dev.muster.authorization.bootstrap;

import dev.muster.authorization.bootstrap.Entries.Entry;
import dev.muster.authorization.rbac.Aggregation;
import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The default roles and bindings. Aggregated roles already contain the rules that they aggregate,
 * so that {@code admin}, {@code edit} and {@code view} work before a controller runs.
 */
final class RbacDefaults {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final GroupVersion VERSION = new GroupVersion(GROUP, "v1");
  private static final JsonObject ANNOTATIONS =
      JsonObject.of("rbac.authorization.kubernetes.io/autoupdate", "true");

  private RbacDefaults() {}

  /**
   * @param gates the enabled features; some roles belong to one
   */
  static List<BootstrapObject> all(Predicate<String> gates) {
    var roles = new ArrayList<JsonObject>();
    var others = new ArrayList<BootstrapObject>();
    for (var entry : Entries.read("rbac.txt")) {
      if (!isWanted(entry, gates)) {
        continue;
      }
      switch (entry.head().getFirst()) {
        case "ClusterRole" -> roles.add(role(entry));
        case "Role" -> others.add(object(entry, role(entry)));
        case "ClusterRoleBinding", "RoleBinding" -> others.add(object(entry, binding(entry)));
        default -> throw new IllegalStateException("no kind: " + entry.head());
      }
    }
    var all = new ArrayList<BootstrapObject>();
    Aggregation.fill(roles)
        .forEach(role -> all.add(new BootstrapObject(VERSION.resource("clusterroles"), role)));
    all.addAll(others);
    return all;
  }

  private static boolean isWanted(Entry entry, Predicate<String> gates) {
    var needed = entry.after("gate");
    return needed.isEmpty() || Arrays.stream(needed.split(",")).allMatch(gates);
  }

  private static BootstrapObject object(Entry entry, JsonObject object) {
    var plural = entry.head().getFirst().toLowerCase(Locale.ROOT) + "s";
    return new BootstrapObject(VERSION.resource(plural), object);
  }

  private static JsonObject.Builder start(Entry entry) {
    var labels = JsonObject.builder().put("kubernetes.io/bootstrapping", "rbac-defaults");
    for (var word : entry.head()) {
      if (word.startsWith("+")) {
        labels.put(GROUP + "/" + word.substring(1), "true");
      }
    }
    return JsonObject.builder()
        .put("kind", entry.head().getFirst())
        .put("apiVersion", VERSION.toString())
        .put("metadata", Entries.metadata(entry.head().get(1), labels.build(), ANNOTATIONS));
  }

  private static JsonObject role(Entry entry) {
    var role = start(entry);
    var rules = new ArrayList<Json>();
    entry.rules().forEach(line -> rules.add(rule(line)));
    role.put("rules", JsonArray.of(rules));
    var gathered = entry.after("from");
    if (!gathered.isEmpty()) {
      var selector = JsonObject.of("matchLabels", JsonObject.of(GROUP + "/" + gathered, "true"));
      role.put("aggregationRule", JsonObject.of("clusterRoleSelectors", JsonArray.of(selector)));
    }
    return role.build();
  }

  private static JsonObject rule(List<String> line) {
    var rule = JsonObject.builder().put("verbs", Entries.list(line.get(0)));
    if (line.get(1).equals("at")) {
      return rule.put("nonResourceURLs", Entries.list(line.get(2))).build();
    }
    rule.put("apiGroups", Entries.groups(line.get(4))).put("resources", Entries.list(line.get(2)));
    if (line.size() > 5) {
      rule.put("resourceNames", Entries.list(line.get(6)));
    }
    return rule.build();
  }

  private static JsonObject binding(Entry entry) {
    var subjects = new ArrayList<Json>();
    entry.subjects().forEach(line -> subjects.add(subject(line.get(0), line.get(1))));
    var binding = start(entry);
    if (!subjects.isEmpty()) {
      binding.put("subjects", JsonArray.of(subjects));
    }
    return binding
        .put(
            "roleRef",
            JsonObject.of(
                "apiGroup", GROUP, "kind", entry.head().get(3), "name", entry.head().get(4)))
        .build();
  }

  private static JsonObject subject(String kind, String path) {
    int slash = path.indexOf('/');
    return kind.equals("ServiceAccount")
        ? JsonObject.of(
            "kind", kind, "name", path.substring(slash + 1), "namespace", path.substring(0, slash))
        : JsonObject.of("kind", kind, "apiGroup", GROUP, "name", path);
  }
}
