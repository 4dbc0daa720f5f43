package dev.muster.registry.stored;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.LegacyKinds;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The conversions of stored objects from versions that are no longer served, as in kube-apiserver.
 * Kinds without an entry have the same fields and defaults in both versions.
 */
final class LegacyObjects {
  /**
   * How to read a kind of a version that is no longer served.
   *
   * @param convert applies the old version's defaults where they differ from the served version's,
   *     and converts to the served structure
   * @param takesDefaults whether the served version's defaults apply to the rest
   */
  record Former(UnaryOperator<JsonObject> convert, boolean takesDefaults) {}

  private static final Former SAME = new Former(UnaryOperator.identity(), true);

  private static final Map<GroupVersionKind, Former> KNOWN = known();

  private LegacyObjects() {}

  static Former of(LegacyKinds.FormerKind kind) {
    return KNOWN.getOrDefault(kind.kind(), SAME);
  }

  private static Map<GroupVersionKind, Former> known() {
    var known = new HashMap<GroupVersionKind, Former>();
    add(known, "extensions/v1beta1", "Deployment", LegacyWorkloads::extensionsDeployment);
    add(known, "extensions/v1beta1", "DaemonSet", LegacyWorkloads::extensionsDaemonSet);
    add(known, "extensions/v1beta1", "ReplicaSet", LegacyWorkloads::extensionsReplicaSet);
    add(known, "apps/v1beta1", "Deployment", LegacyWorkloads::firstDeployment);
    add(known, "apps/v1beta1", "StatefulSet", LegacyWorkloads::firstStatefulSet);
    add(known, "policy/v1beta1", "PodDisruptionBudget", LegacyWorkloads::budget);
    add(known, "extensions/v1beta1", "Ingress", LegacyNetworking::ingress);
    add(known, "networking.k8s.io/v1beta1", "Ingress", LegacyNetworking::ingress);
    addWhole(known, "extensions/v1beta1", "NetworkPolicy", LegacyNetworking::policy);
    addWhole(known, "networking.k8s.io/v1beta1", "IngressClass", UnaryOperator.identity());
    add(known, "discovery.k8s.io/v1beta1", "EndpointSlice", LegacyNetworking::slice);
    add(known, "resource.k8s.io/v1beta1", "ResourceClaim", LegacyDeviceObjects::claim);
    add(known, "resource.k8s.io/v1beta1", "ResourceClaimTemplate", LegacyDeviceObjects::template);
    add(known, "resource.k8s.io/v1beta1", "ResourceSlice", LegacyDeviceObjects::slice);
    add(
        known,
        "apiextensions.k8s.io/v1beta1",
        "CustomResourceDefinition",
        LegacyDefinition::served);
    add(
        known,
        "certificates.k8s.io/v1beta1",
        "CertificateSigningRequest",
        LegacySigningRequest::served);
    for (var kind : new String[] {"Mutating", "Validating"}) {
      add(
          known,
          "admissionregistration.k8s.io/v1beta1",
          kind + "WebhookConfiguration",
          LegacyAccess::webhooks);
      add(
          known,
          "admissionregistration.k8s.io/v1alpha1",
          kind + "AdmissionPolicyBinding",
          LegacyAccess::policyBinding);
    }
    for (var kind : new String[] {"RoleBinding", "ClusterRoleBinding"}) {
      add(known, "rbac.authorization.k8s.io/v1alpha1", kind, LegacyAccess::roleBinding);
    }
    var level = "PriorityLevelConfiguration";
    add(known, "flowcontrol.apiserver.k8s.io/v1beta1", level, LegacyLimits::assuredLevel);
    add(known, "flowcontrol.apiserver.k8s.io/v1beta2", level, LegacyLimits::assuredLevel);
    add(known, "flowcontrol.apiserver.k8s.io/v1beta3", level, LegacyLimits::nominalLevel);
    add(known, "node.k8s.io/v1alpha1", "RuntimeClass", LegacyLimits::runtimeClass);
    return Map.copyOf(known);
  }

  private static void add(
      Map<GroupVersionKind, Former> known,
      String version,
      String kind,
      UnaryOperator<JsonObject> convert) {
    known.put(GroupVersion.parse(version).kind(kind), new Former(convert, true));
  }

  /** Adds a kind whose old version has none of today's defaults. */
  private static void addWhole(
      Map<GroupVersionKind, Former> known,
      String version,
      String kind,
      UnaryOperator<JsonObject> convert) {
    known.put(GroupVersion.parse(version).kind(kind), new Former(convert, false));
  }
}
