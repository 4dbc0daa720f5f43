package dev.muster.registry.builtin;

import dev.muster.model.GroupVersion;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.admission.MutatingPolicyRules;
import dev.muster.validation.admission.PolicyBindingRules;
import dev.muster.validation.admission.ValidatingPolicyRules;
import dev.muster.validation.admission.WebhookRules;
import java.util.List;

/** The types of {@code admissionregistration.k8s.io}. */
final class AdmissionTypes implements TypeRules {
  /**
   * Like kube-apiserver, stores mutating policies in a version that the previous release can read.
   */
  private static final GroupVersion OLDER =
      GroupVersion.parse("admissionregistration.k8s.io/v1beta1");

  private AdmissionTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new AdmissionTypes();
    var v1 = new TypeTable("admissionregistration.k8s.io/v1", 16700, 15, rules);
    v1.cluster("mutatingadmissionpolicies", "MutatingAdmissionPolicy")
        .categories("api-extensions")
        .keptAs(OLDER);
    v1.cluster("mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding")
        .categories("api-extensions")
        .keptAs(OLDER);
    v1.cluster("mutatingwebhookconfigurations", "MutatingWebhookConfiguration")
        .categories("api-extensions");
    v1.cluster("validatingadmissionpolicies", "ValidatingAdmissionPolicy")
        .categories("api-extensions")
        .status()
        .resets("status", "metadata", "spec")
        .trait(TypeTrait.STATUS_CREATES);
    v1.cluster("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding")
        .categories("api-extensions");
    v1.cluster("validatingwebhookconfigurations", "ValidatingWebhookConfiguration")
        .categories("api-extensions");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "mutatingadmissionpolicies" -> MutatingPolicyRules.STRATEGY;
      case "mutatingadmissionpolicybindings" -> PolicyBindingRules.MUTATING;
      case "mutatingwebhookconfigurations" -> WebhookRules.MUTATING;
      case "validatingadmissionpolicies" -> ValidatingPolicyRules.STRATEGY;
      case "validatingadmissionpolicybindings" -> PolicyBindingRules.VALIDATING;
      case "validatingwebhookconfigurations" -> WebhookRules.VALIDATING;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "mutatingadmissionpolicies" -> GroupTables.policy("Mutations", "mutations");
      case "mutatingadmissionpolicybindings", "validatingadmissionpolicybindings" ->
          GroupTables.policyBinding();
      case "mutatingwebhookconfigurations", "validatingwebhookconfigurations" ->
          GroupTables.webhooks();
      case "validatingadmissionpolicies" -> GroupTables.policy("Validations", "validations");
      default -> TableSpec.PLAIN;
    };
  }
}
