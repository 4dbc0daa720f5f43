package dev.muster.authorization;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** One rule of a role: verbs on resources or on non-resource paths. */
public record PolicyRule(
    List<String> verbs,
    List<String> apiGroups,
    List<String> resources,
    List<String> resourceNames,
    List<String> nonResourceUrls) {
  private static final String ALL = "*";

  public PolicyRule {
    verbs = List.copyOf(verbs);
    apiGroups = List.copyOf(apiGroups);
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
    nonResourceUrls = List.copyOf(nonResourceUrls);
  }

  public static PolicyRule of(JsonObject rule) {
    return new PolicyRule(
        rule.array("verbs").strings(),
        rule.array("apiGroups").strings(),
        rule.array("resources").strings(),
        rule.array("resourceNames").strings(),
        rule.array("nonResourceURLs").strings());
  }

  /** The rules of a Role or ClusterRole. */
  public static List<PolicyRule> allOf(JsonObject role) {
    return role.array("rules").objects().stream().map(PolicyRule::of).toList();
  }

  public JsonObject toJson() {
    var json = JsonObject.builder().put("verbs", JsonArray.ofStrings(verbs));
    putUnlessEmpty(json, "apiGroups", apiGroups);
    putUnlessEmpty(json, "resources", resources);
    putUnlessEmpty(json, "resourceNames", resourceNames);
    putUnlessEmpty(json, "nonResourceURLs", nonResourceUrls);
    return json.build();
  }

  private static void putUnlessEmpty(JsonObject.Builder json, String key, List<String> texts) {
    if (!texts.isEmpty()) {
      json.put(key, JsonArray.ofStrings(texts));
    }
  }

  public boolean allows(Attributes attributes) {
    var combined =
        attributes.subresource().isEmpty()
            ? attributes.resource()
            : attributes.resource() + "/" + attributes.subresource();
    return allows(attributes, combined);
  }

  /**
   * Like {@link #allows(Attributes)}, for callers that check several rules.
   *
   * @param combined the resource with its subresource, as rules write it
   */
  public boolean allows(Attributes attributes, String combined) {
    if (!attributes.resourceRequest()) {
      return holds(verbs, attributes.verb()) && matchesPath(attributes.path());
    }
    return matchesResource(combined, attributes.subresource())
        && holds(verbs, attributes.verb())
        && holds(apiGroups, attributes.group())
        && (resourceNames.isEmpty() || resourceNames.contains(attributes.name()));
  }

  private static boolean holds(List<String> allowed, String asked) {
    for (int i = 0; i < allowed.size(); i++) {
      var text = allowed.get(i);
      if (text.equals(asked) || text.equals(ALL)) {
        return true;
      }
    }
    return false;
  }

  private boolean matchesResource(String combined, String subresource) {
    for (int i = 0; i < resources.size(); i++) {
      var resource = resources.get(i);
      if (resource.equals(combined)
          || resource.equals(ALL)
          || (!subresource.isEmpty()
              && resource.length() == subresource.length() + 2
              && resource.startsWith("*/")
              && resource.endsWith(subresource))) {
        return true;
      }
    }
    return false;
  }

  private boolean matchesPath(String path) {
    for (int i = 0; i < nonResourceUrls.size(); i++) {
      if (covers(nonResourceUrls.get(i), path)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a path of a rule, perhaps with a star at its end, matches the other path. */
  public static boolean covers(String rulePath, String path) {
    if (rulePath.equals(path)) {
      return true;
    }
    int end = rulePath.length();
    while (end > 0 && rulePath.charAt(end - 1) == '*') {
      end--;
    }
    return end < rulePath.length() && path.regionMatches(0, rulePath, 0, end);
  }

  /** The number of texts in the rule, plus one for the rule. */
  public int texts() {
    return 1
        + verbs.size()
        + apiGroups.size()
        + resources.size()
        + resourceNames.size()
        + nonResourceUrls.size();
  }

  /** The rule as the escalation error prints it. */
  public String describe() {
    var parts = new ArrayList<String>();
    describe(parts, "APIGroups", apiGroups);
    describe(parts, "Resources", resources);
    describe(parts, "NonResourceURLs", nonResourceUrls);
    describe(parts, "ResourceNames", resourceNames);
    describe(parts, "Verbs", verbs);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void describe(List<String> parts, String name, List<String> texts) {
    if (!texts.isEmpty()) {
      parts.add(name + ":" + quoted(texts));
    }
  }

  /** A list of texts as Go prints it: quoted, in brackets, separated by spaces. */
  public static String quoted(List<String> texts) {
    return "[" + String.join(" ", texts.stream().map(t -> Json.of(t).toString()).toList()) + "]";
  }
}
