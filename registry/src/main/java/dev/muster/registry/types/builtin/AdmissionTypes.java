package dev.muster.registry.types.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.rules.admission.MutatingPolicyRules;
import dev.muster.registry.rules.admission.PolicyBindingRules;
import dev.muster.registry.rules.admission.ValidatingPolicyRules;
import dev.muster.registry.rules.admission.WebhookRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.TypeTrait;
import java.util.List;

/** The types of {@code admissionregistration.k8s.io}. */
final class AdmissionTypes {
  private AdmissionTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("admissionregistration.k8s.io/v1", 16700, 15);
    v1.cluster("mutatingadmissionpolicies", "MutatingAdmissionPolicy", MutatingPolicyRules.STRATEGY)
        .categories("api-extensions")
        .hashedAs(
            new GroupVersionKind(
                "admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicy"))
        .table(GroupTables.policy("Mutations", "mutations"));
    v1.cluster(
            "mutatingadmissionpolicybindings",
            "MutatingAdmissionPolicyBinding",
            PolicyBindingRules.MUTATING)
        .categories("api-extensions")
        .hashedAs(
            new GroupVersionKind(
                "admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicyBinding"))
        .table(GroupTables.policyBinding());
    v1.cluster(
            "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", WebhookRules.MUTATING)
        .categories("api-extensions")
        .table(GroupTables.webhooks());
    v1.cluster(
            "validatingadmissionpolicies",
            "ValidatingAdmissionPolicy",
            ValidatingPolicyRules.STRATEGY)
        .categories("api-extensions")
        .status()
        .table(GroupTables.policy("Validations", "validations"))
        .resets("status", "metadata", "spec")
        .trait(TypeTrait.STATUS_CREATES);
    v1.cluster(
            "validatingadmissionpolicybindings",
            "ValidatingAdmissionPolicyBinding",
            PolicyBindingRules.VALIDATING)
        .categories("api-extensions")
        .table(GroupTables.policyBinding());
    v1.cluster(
            "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration",
            WebhookRules.VALIDATING)
        .categories("api-extensions")
        .table(GroupTables.webhooks());
    return v1.builders();
  }
}
