package dev.muster.authorization.abac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.PolicyRule;
import dev.muster.model.User;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One line of an ABAC policy file. An empty text matches only an empty value, a star matches
 * everything.
 */
record AbacPolicy(
    String user,
    String group,
    boolean readOnly,
    String apiGroup,
    String resource,
    String namespace,
    String path) {
  private static final String ALL = "*";
  private static final Set<String> READING = Set.of("get", "list", "watch");

  boolean allows(Attributes attributes) {
    return isAbout(attributes.user())
        && (!readOnly || READING.contains(attributes.verb()))
        && (attributes.resourceRequest()
            ? isAboutResource(attributes)
            : PolicyRule.covers(path, attributes.path()));
  }

  boolean isAbout(User asking) {
    if (!user.isEmpty() && !user.equals(ALL) && !user.equals(asking.name())) {
      return false;
    }
    if (!group.isEmpty() && !group.equals(ALL) && !asking.in(group)) {
      return false;
    }
    return !user.isEmpty() || !group.isEmpty();
  }

  private boolean isAboutResource(Attributes attributes) {
    return isAbout(namespace, attributes.namespace())
        && isAbout(resource, attributes.resource())
        && isAbout(apiGroup, attributes.group());
  }

  private static boolean isAbout(String allowed, String asked) {
    return allowed.equals(ALL) || allowed.equals(asked);
  }

  boolean isIn(String asked) {
    return isAbout(namespace, asked);
  }

  /** The policy in the form of RBAC rules. */
  List<PolicyRule> rules() {
    var verbs = readOnly ? List.of("get", "list", "watch") : List.of(ALL);
    var none = List.<String>of();
    var resources =
        resource.isEmpty()
            ? List.<PolicyRule>of()
            : List.of(new PolicyRule(verbs, List.of(apiGroup), List.of(resource), none, none));
    var paths =
        path.isEmpty()
            ? List.<PolicyRule>of()
            : List.of(new PolicyRule(verbs, none, none, none, List.of(path)));
    return Stream.concat(resources.stream(), paths.stream()).toList();
  }
}
