package dev.muster.audit;

import dev.muster.authorization.Attributes;
import java.util.List;

/**
 * One rule of an audit policy. An empty list matches every request; all other lists must match.
 *
 * @param users user names
 * @param groups the user must be in one of them
 * @param namespaces "" stands for requests outside namespaces
 * @param paths non-resource paths; a {@code *} at the end matches any continuation
 */
public record AuditRule(
    List<String> users,
    List<String> groups,
    List<String> verbs,
    List<Resources> resources,
    List<String> namespaces,
    List<String> paths,
    AuditDecision decision) {

  /**
   * Resources of an API group.
   *
   * @param group {@code *} for every group
   * @param resources {@code pods}, {@code pods/log}, {@code pods/*}, {@code *} or {@code *}{@code
   *     /scale}; empty for all
   * @param names of objects; empty for all
   */
  public record Resources(String group, List<String> resources, List<String> names) {
    public Resources {
      resources = List.copyOf(resources);
      names = List.copyOf(names);
    }

    boolean fits(Attributes attributes) {
      if (!group.equals("*") && !group.equals(attributes.group())) {
        return false;
      }
      if (resources.isEmpty()) {
        return true;
      }
      if (!names.isEmpty() && !names.contains(attributes.name())) {
        return false;
      }
      for (var resource : resources) {
        if (names(resource, attributes.resource(), attributes.subresource())) {
          return true;
        }
      }
      return false;
    }

    private static boolean names(String pattern, String resource, String subresource) {
      if (pattern.equals("*")) {
        return true;
      }
      int slash = pattern.indexOf('/');
      if (slash < 0) {
        return subresource.isEmpty() && pattern.equals(resource);
      }
      var before = pattern.substring(0, slash);
      var after = pattern.substring(slash + 1);
      if (after.equals("*") && before.equals(resource)) {
        return true;
      }
      return !subresource.isEmpty()
          && after.equals(subresource)
          && (before.equals("*") || before.equals(resource));
    }
  }

  public AuditRule {
    users = List.copyOf(users);
    groups = List.copyOf(groups);
    verbs = List.copyOf(verbs);
    resources = List.copyOf(resources);
    namespaces = List.copyOf(namespaces);
    paths = List.copyOf(paths);
  }

  boolean fits(Attributes attributes, boolean known) {
    if (!users.isEmpty() && !(known && users.contains(attributes.user().name()))) {
      return false;
    }
    if (!groups.isEmpty() && !(known && isInOne(attributes.user().groups()))) {
      return false;
    }
    if (!verbs.isEmpty() && !verbs.contains(attributes.verb())) {
      return false;
    }
    if (!namespaces.isEmpty() || !resources.isEmpty()) {
      return attributes.resourceRequest() && fitsResource(attributes);
    }
    return paths.isEmpty() || (!attributes.resourceRequest() && fitsPath(attributes.path()));
  }

  private boolean isInOne(List<String> ofUser) {
    for (var group : ofUser) {
      if (groups.contains(group)) {
        return true;
      }
    }
    return false;
  }

  private boolean fitsResource(Attributes attributes) {
    if (!namespaces.isEmpty() && !namespaces.contains(attributes.namespace())) {
      return false;
    }
    if (resources.isEmpty()) {
      return true;
    }
    for (var one : resources) {
      if (one.fits(attributes)) {
        return true;
      }
    }
    return false;
  }

  private boolean fitsPath(String path) {
    for (var pattern : paths) {
      boolean fits =
          pattern.endsWith("*")
              ? path.startsWith(pattern.substring(0, pattern.length() - 1))
              : pattern.equals(path);
      if (fits) {
        return true;
      }
    }
    return false;
  }
}
