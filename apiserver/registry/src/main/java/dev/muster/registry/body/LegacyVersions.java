package dev.muster.registry.body;

import dev.muster.model.GroupVersionKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Versions that are no longer served but that kube-apiserver still recognizes, so that the error
 * for an old manifest names the version to use.
 */
final class LegacyVersions {
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          former(
              "admissionregistration.k8s.io/v1alpha1",
              "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy"
                  + " MutatingAdmissionPolicyBinding"),
          former(
              "admissionregistration.k8s.io/v1beta1",
              "ValidatingWebhookConfiguration MutatingWebhookConfiguration"
                  + " ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"
                  + " MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"),
          former("apps/v1beta1", "Deployment Scale StatefulSet ControllerRevision"),
          former(
              "apps/v1beta2",
              "Deployment Scale StatefulSet DaemonSet ReplicaSet ControllerRevision"),
          former("authentication.k8s.io/v1alpha1", "SelfSubjectReview"),
          former("authentication.k8s.io/v1beta1", "SelfSubjectReview TokenReview"),
          former(
              "authorization.k8s.io/v1beta1",
              "SelfSubjectRulesReview SelfSubjectAccessReview SubjectAccessReview"
                  + " LocalSubjectAccessReview"),
          former("batch/v1beta1", "CronJob"),
          former("certificates.k8s.io/v1beta1", "CertificateSigningRequest"),
          former("coordination.k8s.io/v1beta1", "Lease"),
          former("discovery.k8s.io/v1beta1", "EndpointSlice"),
          former("events.k8s.io/v1beta1", "Event"),
          former(
              "extensions/v1beta1", "Deployment Scale DaemonSet Ingress ReplicaSet NetworkPolicy"),
          former("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema PriorityLevelConfiguration"),
          former("flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema PriorityLevelConfiguration"),
          former("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema PriorityLevelConfiguration"),
          former("networking.k8s.io/v1beta1", "Ingress IngressClass IPAddress ServiceCIDR"),
          former("node.k8s.io/v1alpha1", "RuntimeClass"),
          former("node.k8s.io/v1beta1", "RuntimeClass"),
          former("policy/v1beta1", "PodDisruptionBudget Eviction"),
          former(
              "rbac.authorization.k8s.io/v1alpha1",
              "Role RoleBinding ClusterRole ClusterRoleBinding"),
          former(
              "rbac.authorization.k8s.io/v1beta1",
              "Role RoleBinding ClusterRole ClusterRoleBinding"),
          former(
              "resource.k8s.io/v1beta1",
              "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"),
          former(
              "resource.k8s.io/v1beta2",
              "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"),
          former("scheduling.k8s.io/v1beta1", "PriorityClass"),
          former("storage.k8s.io/v1alpha1", "VolumeAttachment CSIStorageCapacity"),
          former(
              "storage.k8s.io/v1beta1",
              "StorageClass VolumeAttachment CSIDriver CSINode CSIStorageCapacity"
                  + " VolumeAttributesClass"));

  private static final Map<String, Set<String>> VERSIONS = byKind();

  private LegacyVersions() {}

  private static Map.Entry<String, String> former(String apiVersion, String kinds) {
    return Map.entry(apiVersion, kinds);
  }

  private static Map<String, Set<String>> byKind() {
    Map<String, Set<String>> versions = new HashMap<>();
    KINDS.forEach(
        (apiVersion, kinds) -> {
          for (var kind : kinds.split(" ")) {
            versions.computeIfAbsent(kind, ignored -> new HashSet<>()).add(apiVersion);
          }
        });
    return versions;
  }

  /**
   * Whether one kind is another version of the other, in the same group or the group it moved from.
   */
  static boolean isOf(GroupVersionKind given, GroupVersionKind served) {
    if (!given.kind().equals(served.kind())) {
      return false;
    }
    return VERSIONS.getOrDefault(given.kind(), Set.of()).contains(given.apiVersion())
        || (isEvent(given) && isEvent(served));
  }

  static boolean has(GroupVersionKind kind) {
    return VERSIONS.getOrDefault(kind.kind(), Set.of()).contains(kind.apiVersion());
  }

  /** Events are the same objects in both of their groups. */
  private static boolean isEvent(GroupVersionKind kind) {
    return kind.kind().equals("Event")
        && (kind.apiVersion().equals("v1") || kind.apiVersion().equals("events.k8s.io/v1"));
  }
}
