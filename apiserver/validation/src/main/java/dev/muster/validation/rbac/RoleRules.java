package dev.muster.validation.rbac;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.ArrayList;
import java.util.List;

/** The strategies of Roles and ClusterRoles. */
public final class RoleRules {
  /** Validates {@code generateName} of this group like a whole name. */
  static final NameRule NAMES = (name, prefix) -> Names.pathSegment(name);

  private static final Rule ROLE_RULE =
      Rule.all(namespacedMetadata(NAMES), each("rules", rule -> rule(rule, true)));

  private static final Rule CLUSTER_ROLE_RULE =
      Rule.all(
          clusterMetadata(NAMES),
          each("rules", rule -> rule(rule, false)),
          ifPresent("aggregationRule", RoleRules::aggregation));

  public static final Strategy ROLE =
      ResourceRules.namespaced()
          .create(ROLE_RULE)
          .update(ROLE_RULE, metadataUpdate())
          .createsOnUpdate()
          .build();

  public static final Strategy CLUSTER_ROLE =
      ResourceRules.cluster()
          .create(CLUSTER_ROLE_RULE)
          .update(CLUSTER_ROLE_RULE, metadataUpdate())
          .createsOnUpdate()
          .build();

  private RoleRules() {}

  private static void rule(FieldCursor rule, boolean namespaced) {
    var verbs = rule.at("verbs");
    if (verbs.isEmpty()) {
      verbs.required("verbs must contain at least one value");
    }
    var urls = rule.at("nonResourceURLs");
    var groups = rule.at("apiGroups");
    var resources = rule.at("resources");
    if (!urls.isEmpty()) {
      if (namespaced) {
        urls.invalid("namespaced rules cannot apply to non-resource URLs");
      }
      if (!groups.isEmpty() || !resources.isEmpty() || !rule.at("resourceNames").isEmpty()) {
        urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
      }
      return;
    }
    if (groups.isEmpty()) {
      groups.required("resource rules must supply at least one api group");
    }
    if (resources.isEmpty()) {
      resources.required("resource rules must supply at least one resource");
    }
  }

  private static void aggregation(FieldCursor aggregation) {
    var selectors = aggregation.at("clusterRoleSelectors");
    if (selectors.isEmpty()) {
      selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    boolean checkValues =
        selectors.before().items().stream().allMatch(old -> errors(old, true).isEmpty());
    for (var selector : selectors.items()) {
      errors(selector, checkValues).forEach(selector::report);
      if (!errors(selector, true).isEmpty()) {
        selector.invalid(JsonNull.NULL, "invalid label selector.");
      }
    }
  }

  private static List<FieldError> errors(FieldCursor selector, boolean checkValues) {
    var errors = new ArrayList<FieldError>();
    LabelRules.selector(selector.object(), selector.path(), checkValues, errors);
    return errors;
  }
}
