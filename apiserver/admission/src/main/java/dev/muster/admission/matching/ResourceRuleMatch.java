package dev.muster.admission.matching;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import java.util.List;

/**
 * One resource rule of a policy or webhook. Immutable.
 *
 * @param scope {@code *}, {@code Cluster} or {@code Namespaced}
 * @param names of objects; empty for any
 */
public record ResourceRuleMatch(
    List<String> operations,
    List<String> groups,
    List<String> versions,
    List<String> resources,
    String scope,
    List<String> names) {
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  static ResourceRuleMatch of(JsonObject rule) {
    var scope = rule.string("scope");
    return new ResourceRuleMatch(
        rule.array("operations").strings(),
        rule.array("apiGroups").strings(),
        rule.array("apiVersions").strings(),
        rule.array("resources").strings(),
        scope.isEmpty() ? "*" : scope,
        rule.array("resourceNames").strings());
  }

  /**
   * Whether the rule matches.
   *
   * @param namespace of the object; a namespace counts as in itself
   */
  boolean matches(
      AdmissionOperation operation,
      GroupVersionResource resource,
      String subresource,
      String namespace,
      String name) {
    return inScope(resource, namespace)
        && exactOrAny(operations, operation.name())
        && exactOrAny(groups, resource.group())
        && exactOrAny(versions, resource.version())
        && resources.stream().anyMatch(each -> isFor(each, resource.resource(), subresource))
        && (names.isEmpty() || names.contains(name));
  }

  private boolean inScope(GroupVersionResource resource, String namespace) {
    boolean cluster = resource.equals(NAMESPACES) || namespace.isEmpty();
    return switch (scope) {
      case "*" -> true;
      case "Cluster" -> cluster;
      case "Namespaced" -> !cluster;
      default -> false;
    };
  }

  private static boolean exactOrAny(List<String> known, String wanted) {
    return known.contains("*") || known.contains(wanted);
  }

  private static boolean isFor(String rule, String resource, String subresource) {
    int slash = rule.indexOf('/');
    var parent = slash < 0 ? rule : rule.substring(0, slash);
    var child = slash < 0 ? "" : rule.substring(slash + 1);
    return (parent.equals("*") || parent.equals(resource))
        && (child.equals("*") || child.equals(subresource));
  }
}
