package dev.muster.authorization.bootstrap;

import dev.muster.authorization.bootstrap.Entries.Entry;
import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The default flow schemas and priority levels. */
final class FlowDefaults {
  private static final GroupVersion VERSION =
      new GroupVersion("flowcontrol.apiserver.k8s.io", "v1");
  private static final JsonObject ANNOTATIONS =
      JsonObject.of("apf.kubernetes.io/autoupdate-spec", "true");

  private FlowDefaults() {}

  static List<BootstrapObject> all() {
    var all = new ArrayList<BootstrapObject>();
    for (var entry : Entries.read("flowcontrol.txt")) {
      var level = entry.head().getFirst().equals("PriorityLevel");
      var kind = level ? "PriorityLevelConfiguration" : "FlowSchema";
      var plural = level ? "prioritylevelconfigurations" : "flowschemas";
      var object =
          JsonObject.of(
              "kind",
              kind,
              "apiVersion",
              VERSION.toString(),
              "metadata",
              Entries.metadata(entry.head().get(1), JsonObject.EMPTY, ANNOTATIONS),
              "spec",
              level ? level(entry) : schema(entry));
      all.add(new BootstrapObject(VERSION.resource(plural), object));
    }
    return all;
  }

  private static JsonObject level(Entry entry) {
    if (entry.head().contains("exempt") && entry.value("shares").isEmpty()) {
      return JsonObject.of(
          "type",
          "Exempt",
          "exempt",
          JsonObject.of("nominalConcurrencyShares", 0, "lendablePercent", 0));
    }
    var response =
        entry.value("queues").isEmpty()
            ? JsonObject.of("type", "Reject")
            : JsonObject.of(
                "type",
                "Queue",
                "queuing",
                JsonObject.of(
                    "queues", number(entry, "queues"),
                    "handSize", number(entry, "hand"),
                    "queueLengthLimit", number(entry, "length")));
    return JsonObject.of(
        "type",
        "Limited",
        "limited",
        JsonObject.of(
            "nominalConcurrencyShares", number(entry, "shares"),
            "limitResponse", response,
            "lendablePercent", number(entry, "lendable")));
  }

  private static long number(Entry entry, String name) {
    return Long.parseLong(entry.value(name));
  }

  private static JsonObject schema(Entry entry) {
    var spec =
        JsonObject.builder()
            .put("priorityLevelConfiguration", JsonObject.of("name", entry.value("level")))
            .put("matchingPrecedence", number(entry, "precedence"));
    if (!entry.value("by").isEmpty()) {
      spec.put("distinguisherMethod", JsonObject.of("type", entry.value("by")));
    }
    var subjects = new ArrayList<Json>();
    var resources = new ArrayList<Json>();
    var paths = new ArrayList<Json>();
    entry.subjects().forEach(line -> subjects.add(subject(line.get(0), line.get(1))));
    for (var line : entry.rules()) {
      if (line.get(1).equals("at")) {
        paths.add(
            JsonObject.of(
                "verbs", Entries.list(line.get(0)), "nonResourceURLs", Entries.list(line.get(2))));
      } else {
        resources.add(resourceRule(line));
      }
    }
    var rule = JsonObject.builder().put("subjects", JsonArray.of(subjects));
    if (!resources.isEmpty()) {
      rule.put("resourceRules", JsonArray.of(resources));
    }
    if (!paths.isEmpty()) {
      rule.put("nonResourceRules", JsonArray.of(paths));
    }
    return spec.put("rules", JsonArray.of(rule.build())).build();
  }

  private static JsonObject resourceRule(List<String> line) {
    var rule =
        JsonObject.builder()
            .put("verbs", Entries.list(line.get(0)))
            .put("apiGroups", Entries.groups(line.get(4)))
            .put("resources", Entries.list(line.get(2)));
    if (!line.contains("namespaced")) {
      rule.put("clusterScope", true);
    }
    return rule.put("namespaces", Entries.list("*")).build();
  }

  private static JsonObject subject(String kind, String path) {
    int slash = path.indexOf('/');
    var who =
        kind.equals("ServiceAccount")
            ? JsonObject.of(
                "namespace", path.substring(0, slash), "name", path.substring(slash + 1))
            : JsonObject.of("name", path);
    var field = kind.equals("ServiceAccount") ? "serviceAccount" : kind.toLowerCase(Locale.ROOT);
    return JsonObject.of("kind", kind, field, who);
  }
}
