package dev.muster.registry.rules.admission;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Place;
import java.util.Map;

/** The strategies of webhook configurations and admission policies. */
public final class AdmissionRules {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final String STATIC_SUFFIX = ".static.k8s.io";

  private AdmissionRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "ValidatingWebhookConfiguration"), WebhookRules.VALIDATING,
        new GroupKind(GROUP, "MutatingWebhookConfiguration"), WebhookRules.MUTATING,
        new GroupKind(GROUP, "ValidatingAdmissionPolicy"), ValidatingPolicyRules.STRATEGY,
        new GroupKind(GROUP, "MutatingAdmissionPolicy"), MutatingPolicyRules.STRATEGY,
        new GroupKind(GROUP, "ValidatingAdmissionPolicyBinding"), BindingRules.VALIDATING,
        new GroupKind(GROUP, "MutatingAdmissionPolicyBinding"), BindingRules.MUTATING);
  }

  /** Names that belong to configuration out of files. */
  static void reservedName(Place object) {
    if (object.at("metadata", "name").text().endsWith(STATIC_SUFFIX)) {
      object.warn(
          "metadata.name: names ending with \""
              + STATIC_SUFFIX
              + "\" are reserved for static manifest-based configurations and cannot be managed"
              + " via the API");
    }
  }
}
