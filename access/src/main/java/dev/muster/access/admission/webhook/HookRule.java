package dev.muster.access.admission.webhook;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import java.util.List;

/**
 * One of a webhook's rules: the requests that it is about.
 *
 * @param scope Cluster, Namespaced or *
 */
record HookRule(
    List<String> operations,
    List<String> groups,
    List<String> versions,
    List<String> resources,
    String scope) {
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  static HookRule of(JsonObject rule) {
    return new HookRule(
        rule.array("operations").strings(),
        rule.array("apiGroups").strings(),
        rule.array("apiVersions").strings(),
        rule.array("resources").strings(),
        rule.string("scope"));
  }

  /**
   * Whether a request is one of those.
   *
   * @param resource as the request names it, or an equivalent one
   */
  boolean matches(Subject subject, GroupVersionResource resource) {
    return isInScope(subject, resource)
        && isAmong(operations, subject.request().operation().name())
        && isAmong(groups, resource.group())
        && isAmong(versions, resource.version())
        && resources.stream()
            .anyMatch(one -> names(one, resource.resource(), subject.request().subresource()));
  }

  /** Requests for a namespace have its name as namespace, but it is no part of any. */
  private boolean isInScope(Subject subject, GroupVersionResource resource) {
    boolean cluster = resource.equals(NAMESPACES) || subject.namespace().isEmpty();
    return switch (scope) {
      case "", "*" -> true;
      case "Namespaced" -> !cluster;
      case "Cluster" -> cluster;
      default -> false;
    };
  }

  private static boolean isAmong(List<String> items, String wanted) {
    return items.contains("*") || items.contains(wanted);
  }

  /** A rule for {@code *} alone names no subresource, one for {@code pods/*} the resource too. */
  private static boolean names(String rule, String resource, String subresource) {
    int slash = rule.indexOf('/');
    var main = slash < 0 ? rule : rule.substring(0, slash);
    var sub = slash < 0 ? "" : rule.substring(slash + 1);
    return (main.equals("*") || main.equals(resource))
        && (sub.equals("*") || sub.equals(subresource));
  }
}
