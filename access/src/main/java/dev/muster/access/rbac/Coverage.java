package dev.muster.access.rbac;

import dev.muster.access.PolicyRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Whether the rights that somebody holds hold the rights that somebody grants. */
public final class Coverage {
  private Coverage() {}

  /** Those rights among the wanted that the held ones do not give, each one verb on one thing. */
  public static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> wanted) {
    return wanted.stream()
        .flatMap(rule -> atoms(rule).stream())
        .filter(atom -> held.stream().noneMatch(rule -> covers(rule, atom)))
        .toList();
  }

  private static List<PolicyRule> atoms(PolicyRule rule) {
    var atoms = new ArrayList<PolicyRule>();
    for (var group : rule.apiGroups()) {
      for (var resource : rule.resources()) {
        for (var verb : rule.verbs()) {
          if (rule.resourceNames().isEmpty()) {
            atoms.add(atom(group, resource, verb, List.of()));
          }
          for (var name : rule.resourceNames()) {
            atoms.add(atom(group, resource, verb, List.of(name)));
          }
        }
      }
    }
    for (var path : rule.nonResourceUrls()) {
      for (var verb : rule.verbs()) {
        atoms.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
    }
    return atoms;
  }

  private static PolicyRule atom(String group, String resource, String verb, List<String> names) {
    return new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of());
  }

  private static boolean covers(PolicyRule held, PolicyRule atom) {
    boolean names =
        held.resourceNames().isEmpty()
            || (!atom.resourceNames().isEmpty()
                && held.resourceNames().containsAll(atom.resourceNames()));
    return names
        && holdsAll(held.verbs(), atom.verbs())
        && holdsAll(held.apiGroups(), atom.apiGroups())
        && atom.resources().stream().allMatch(resource -> coversResource(held, resource))
        && atom.nonResourceUrls().stream()
            .allMatch(
                path -> held.nonResourceUrls().stream().anyMatch(p -> PolicyRule.covers(p, path)));
  }

  private static boolean holdsAll(List<String> held, List<String> wanted) {
    return held.contains("*") || held.containsAll(wanted);
  }

  private static boolean coversResource(PolicyRule held, String resource) {
    int slash = resource.indexOf('/');
    return held.resources().contains("*")
        || held.resources().contains(resource)
        || (slash >= 0 && held.resources().contains("*" + resource.substring(slash)));
  }

  /** The same rights in fewer rules: those that differ by their verb alone become one. */
  public static List<PolicyRule> compact(List<PolicyRule> atoms) {
    record Thing(List<String> groups, List<String> resources, List<String> names) {}
    var compacted = new ArrayList<PolicyRule>();
    var verbs = new LinkedHashMap<Thing, List<String>>();
    for (var atom : atoms) {
      if (atom.nonResourceUrls().isEmpty()) {
        var thing = new Thing(atom.apiGroups(), atom.resources(), atom.resourceNames());
        verbs.computeIfAbsent(thing, key -> new ArrayList<>()).addAll(atom.verbs());
      } else {
        compacted.add(atom);
      }
    }
    verbs.forEach(
        (thing, all) ->
            compacted.add(
                new PolicyRule(all, thing.groups(), thing.resources(), thing.names(), List.of())));
    return compacted;
  }
}
