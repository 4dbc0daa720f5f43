package dev.muster.server.start;

import dev.muster.types.ServedType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The API versions that {@code --runtime-config} may name: those that this server serves, and those
 * that kube-apiserver 1.36 registers, even without resources. Immutable.
 */
final class RegisteredVersions {
  private static final List<String> UPSTREAM =
      List.of(
          "admission.k8s.io v1 v1beta1",
          "admissionregistration.k8s.io v1 v1beta1 v1alpha1",
          "apiextensions.k8s.io v1 v1beta1",
          "apiregistration.k8s.io v1 v1beta1",
          "apps v1 v1beta2 v1beta1",
          "authentication.k8s.io v1 v1beta1 v1alpha1",
          "authorization.k8s.io v1 v1beta1",
          "autoscaling v2 v1",
          "batch v1 v1beta1",
          "certificates.k8s.io v1 v1beta1 v1alpha1",
          "coordination.k8s.io v1 v1beta1 v1alpha2",
          "discovery.k8s.io v1 v1beta1",
          "events.k8s.io v1 v1beta1",
          "extensions v1beta1",
          "flowcontrol.apiserver.k8s.io v1 v1beta3 v1beta2 v1beta1",
          "imagepolicy.k8s.io v1alpha1",
          "internal.apiserver.k8s.io v1alpha1",
          "networking.k8s.io v1 v1beta1",
          "node.k8s.io v1 v1beta1 v1alpha1",
          "policy v1 v1beta1",
          "rbac.authorization.k8s.io v1 v1beta1 v1alpha1",
          "resource.k8s.io v1 v1beta2 v1beta1 v1alpha3",
          "scheduling.k8s.io v1 v1beta1 v1alpha2",
          "storage.k8s.io v1 v1beta1 v1alpha1",
          "storagemigration.k8s.io v1beta1");

  private final Set<String> here;
  private final Set<String> versions;
  private final Set<String> groups = new HashSet<>();

  RegisteredVersions(List<ServedType> types) {
    here =
        types.stream()
            .map(type -> type.kind().groupVersion().toString())
            .collect(Collectors.toSet());
    versions = new HashSet<>(here);
    types.forEach(type -> groups.add(type.kind().group()));
    for (var line : UPSTREAM) {
      var words = line.split(" ");
      groups.add(words[0]);
      for (int i = 1; i < words.length; i++) {
        versions.add(words[0] + "/" + words[i]);
      }
    }
  }

  boolean hasGroup(String group) {
    return groups.contains(group);
  }

  boolean has(String groupVersion) {
    return versions.contains(groupVersion);
  }

  /** Whether this server has a resource in this version. */
  boolean isHere(String groupVersion) {
    return here.contains(groupVersion);
  }
}
