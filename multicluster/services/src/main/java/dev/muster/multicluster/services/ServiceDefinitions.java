package dev.muster.multicluster.services;

import dev.muster.multicluster.membership.ClusterSet;
import dev.muster.multicluster.membership.HubInstallation;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The CustomResourceDefinitions of multi-cluster services. Installed ones stay unchanged. */
final class ServiceDefinitions {
  static final String EXPORTS = "serviceexports.multicluster.x-k8s.io";
  static final String IMPORTS = "serviceimports.multicluster.x-k8s.io";
  static final String EXPORTED = "exportedservices.clusterset.muster.dev";
  static final String ADDRESSES = "clustersetips.clusterset.muster.dev";

  private ServiceDefinitions() {}

  static void inMember(ApiObjects objects) {
    install(objects, EXPORTS, "v1beta1");
    install(objects, IMPORTS, "v1beta1");
  }

  static void inHub(ApiObjects objects) {
    install(objects, EXPORTED, "v1alpha1");
    install(objects, ADDRESSES, "v1alpha1");
  }

  /** Whether the definition is installed. */
  static boolean installed(ApiObjects objects, String name) {
    return objects.get(ServicesResource.DEFINITION, "", name).isPresent();
  }

  private static void install(ApiObjects objects, String name, String version) {
    var live = objects.get(ServicesResource.DEFINITION, "", name);
    if (live.isEmpty()) {
      objects.create(ServicesResource.DEFINITION, "", read(name));
    } else if (versions(live.get()).stream().noneMatch(version::equals)) {
      throw new IllegalStateException(
          "CustomResourceDefinition %s is installed without version %s; replace it by one that has"
                  .formatted(name, version)
              + " it, or delete it");
    }
  }

  private static List<String> versions(Map<String, Object> definition) {
    return Fields.list(Fields.map(definition.get("spec")).get("versions")).stream()
        .map(Fields::map)
        .filter(version -> Boolean.TRUE.equals(version.get("served")))
        .map(version -> Fields.text(version, "name"))
        .toList();
  }

  /** Reads a definition from the resources of this package or of the hub. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> read(String name) {
    try (var file =
        name.endsWith("." + ClusterSet.GROUP)
            ? HubInstallation.definition(name)
            : Objects.requireNonNull(
                ServiceDefinitions.class.getResourceAsStream(name + ".yaml"), name)) {
      return new KubernetesSerialization().unmarshal(file, Map.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
