package dev.muster.registry.stored;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.FormerKinds;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What objects of former versions become in the version that is served, as kube-apiserver converts
 * them. Kinds that are not listed have the same fields and defaults in both.
 */
final class FormerObjects {
  /**
   * How a kind of a former version is read.
   *
   * @param convert fills in the former version's defaults where they differ from those of the
   *     version that is served, and gives the object that one's structure
   * @param takesDefaults whether the defaults of the version that is served hold for the rest
   */
  record Former(UnaryOperator<JsonObject> convert, boolean takesDefaults) {}

  private static final Former SAME = new Former(UnaryOperator.identity(), true);

  private static final Map<GroupVersionKind, Former> KNOWN = known();

  private FormerObjects() {}

  static Former of(FormerKinds.FormerKind kind) {
    return KNOWN.getOrDefault(kind.kind(), SAME);
  }

  private static Map<GroupVersionKind, Former> known() {
    var known = new HashMap<GroupVersionKind, Former>();
    add(known, "extensions/v1beta1", "Deployment", FormerWorkloads::extensionsDeployment);
    add(known, "extensions/v1beta1", "DaemonSet", FormerWorkloads::extensionsDaemonSet);
    add(known, "extensions/v1beta1", "ReplicaSet", FormerWorkloads::extensionsReplicaSet);
    add(known, "apps/v1beta1", "Deployment", FormerWorkloads::firstDeployment);
    add(known, "apps/v1beta1", "StatefulSet", FormerWorkloads::firstStatefulSet);
    add(known, "policy/v1beta1", "PodDisruptionBudget", FormerWorkloads::budget);
    add(known, "extensions/v1beta1", "Ingress", FormerNetworking::ingress);
    add(known, "networking.k8s.io/v1beta1", "Ingress", FormerNetworking::ingress);
    addWhole(known, "extensions/v1beta1", "NetworkPolicy", FormerNetworking::policy);
    addWhole(known, "networking.k8s.io/v1beta1", "IngressClass", UnaryOperator.identity());
    add(known, "discovery.k8s.io/v1beta1", "EndpointSlice", FormerNetworking::slice);
    add(known, "resource.k8s.io/v1beta1", "ResourceClaim", FormerDevices::claim);
    add(known, "resource.k8s.io/v1beta1", "ResourceClaimTemplate", FormerDevices::template);
    add(known, "resource.k8s.io/v1beta1", "ResourceSlice", FormerDevices::slice);
    add(
        known,
        "apiextensions.k8s.io/v1beta1",
        "CustomResourceDefinition",
        FormerDefinition::served);
    add(
        known,
        "certificates.k8s.io/v1beta1",
        "CertificateSigningRequest",
        FormerSigningRequest::served);
    for (var kind : new String[] {"Mutating", "Validating"}) {
      add(
          known,
          "admissionregistration.k8s.io/v1beta1",
          kind + "WebhookConfiguration",
          FormerAccess::webhooks);
      add(
          known,
          "admissionregistration.k8s.io/v1alpha1",
          kind + "AdmissionPolicyBinding",
          FormerAccess::policyBinding);
    }
    for (var kind : new String[] {"RoleBinding", "ClusterRoleBinding"}) {
      add(known, "rbac.authorization.k8s.io/v1alpha1", kind, FormerAccess::roleBinding);
    }
    var level = "PriorityLevelConfiguration";
    add(known, "flowcontrol.apiserver.k8s.io/v1beta1", level, FormerLimits::assuredLevel);
    add(known, "flowcontrol.apiserver.k8s.io/v1beta2", level, FormerLimits::assuredLevel);
    add(known, "flowcontrol.apiserver.k8s.io/v1beta3", level, FormerLimits::nominalLevel);
    add(known, "node.k8s.io/v1alpha1", "RuntimeClass", FormerLimits::runtimeClass);
    return Map.copyOf(known);
  }

  private static void add(
      Map<GroupVersionKind, Former> known,
      String version,
      String kind,
      UnaryOperator<JsonObject> convert) {
    known.put(GroupVersion.parse(version).kind(kind), new Former(convert, true));
  }

  /** Adds a kind whose former version has none of the defaults that it has now. */
  private static void addWhole(
      Map<GroupVersionKind, Former> known,
      String version,
      String kind,
      UnaryOperator<JsonObject> convert) {
    known.put(GroupVersion.parse(version).kind(kind), new Former(convert, false));
  }
}
