package dev.muster.authorization.rbac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.PolicyRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of a role, indexed by resource: a check reads only the rules for that resource and
 * those with a star. Immutable.
 */
final class CompiledRole {
  private static final PolicyRule[] NONE = {};

  private final List<PolicyRule> rules;
  private final Map<String, PolicyRule[]> byResource;
  private final PolicyRule[] starred;
  private final PolicyRule[] paths;
  private final long weight;

  CompiledRole(List<PolicyRule> rules) {
    this.rules = List.copyOf(rules);
    var named = new HashMap<String, List<PolicyRule>>();
    var wild = new ArrayList<PolicyRule>();
    var urls = new ArrayList<PolicyRule>();
    for (var rule : rules) {
      if (rule.resources().stream().anyMatch(resource -> resource.startsWith("*"))) {
        wild.add(rule);
      } else {
        rule.resources().stream()
            .distinct()
            .forEach(r -> named.computeIfAbsent(r, key -> new ArrayList<>()).add(rule));
      }
      if (!rule.nonResourceUrls().isEmpty()) {
        urls.add(rule);
      }
    }
    byResource = new HashMap<>();
    named.forEach((resource, list) -> byResource.put(resource, list.toArray(NONE)));
    starred = wild.toArray(NONE);
    weight = rules.stream().mapToLong(PolicyRule::texts).sum();
    paths = urls.toArray(NONE);
  }

  /** The number of texts in the rules. */
  long weight() {
    return weight;
  }

  /** Whether a rule covers all resources, or one subresource of all resources. */
  boolean isStarred() {
    return starred.length > 0;
  }

  boolean hasPaths() {
    return paths.length > 0;
  }

  /** The resources, with subresources, that rules without a star name. */
  Set<String> resources() {
    return byResource.keySet();
  }

  List<PolicyRule> rules() {
    return rules;
  }

  /**
   * @param combined the resource with its subresource, as rules write it
   */
  boolean allows(Attributes attributes, String combined) {
    return attributes.resourceRequest()
        ? any(starred, attributes, combined)
            || any(byResource.getOrDefault(combined, NONE), attributes, combined)
        : any(paths, attributes, combined);
  }

  private static boolean any(PolicyRule[] rules, Attributes attributes, String combined) {
    for (var rule : rules) {
      if (rule.allows(attributes, combined)) {
        return true;
      }
    }
    return false;
  }
}
