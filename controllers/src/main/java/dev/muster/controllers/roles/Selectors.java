package dev.muster.controllers.roles;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Map;

/** Label selectors as objects hold them. */
final class Selectors {
  private Selectors() {}

  static boolean matches(LabelSelector selector, Map<String, String> labels) {
    return labels.entrySet().containsAll(selector.getMatchLabels().entrySet())
        && selector.getMatchExpressions().stream()
            .allMatch(requirement -> meets(labels, requirement));
  }

  /** An operator that is not known selects nothing. */
  private static boolean meets(Map<String, String> labels, LabelSelectorRequirement requirement) {
    var value = labels.get(requirement.getKey());
    return switch (requirement.getOperator()) {
      case "In" -> value != null && requirement.getValues().contains(value);
      case "NotIn" -> value == null || !requirement.getValues().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
