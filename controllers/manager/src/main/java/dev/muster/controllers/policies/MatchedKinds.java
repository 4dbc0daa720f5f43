package dev.muster.controllers.policies;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the kinds that the rules of a policy name. */
final class MatchedKinds {
  /** The limit for one rule; a policy for more kinds is checked against some of them. */
  private static final int MOST = 10;

  private MatchedKinds() {}

  /** Sorted. Rules with a wildcard in groups or versions are skipped, as are subresources. */
  static List<Kind> of(JsonObject spec, PublishedSchemas schemas) {
    var kinds = new TreeSet<>(Kind.ORDER);
    for (var rule : spec.object("matchConstraints").array("resourceRules").objects()) {
      var groups = rule.array("apiGroups").strings();
      var versions = rule.array("apiVersions").strings();
      if (hasWildcard(groups) || hasWildcard(versions)) {
        continue;
      }
      if (add(rule, groups, versions, schemas, kinds) == MOST) {
        break;
      }
    }
    return List.copyOf(kinds);
  }

  private static int add(
      JsonObject rule,
      List<String> groups,
      List<String> versions,
      PublishedSchemas schemas,
      Set<Kind> kinds) {
    int count = 0;
    for (var group : sorted(groups)) {
      for (var version : sorted(versions)) {
        for (var resource : sorted(rule.array("resources").strings())) {
          if (resource.indexOf('*') >= 0 || resource.indexOf('/') >= 0) {
            continue;
          }
          var kind = schemas.kind(group, version, resource);
          if (kind.isPresent()) {
            kinds.add(kind.get());
            if (++count == MOST) {
              return count;
            }
          }
        }
      }
    }
    return count;
  }

  private static List<String> sorted(List<String> names) {
    return names.stream().sorted().toList();
  }

  private static boolean hasWildcard(List<String> names) {
    return names.stream().anyMatch(name -> name.indexOf('*') >= 0);
  }
}
