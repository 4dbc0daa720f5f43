package dev.muster.multicluster.services;

import dev.muster.multicluster.membership.HubInstallation;
import dev.muster.multicluster.membership.RefusedByHub;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;

/**
 * The shared namespace of a ClusterSet in the hub: the exports of all members and the addresses of
 * services.
 *
 * @param ranges of service addresses
 */
record ServiceHub(ApiObjects objects, String namespace, List<AddressRange> ranges) {
  private static final String SETTINGS = HubInstallation.SETTINGS;
  private static final String RANGES = HubInstallation.RANGES;

  ServiceHub {
    ranges = List.copyOf(ranges);
  }

  /** The namespace of a set: its name, if that is a valid namespace name. */
  static String namespaceOf(String clusterSet) {
    var name = "clusterset-" + clusterSet;
    return name.length() <= 63 && name.matches("[a-z0-9-]*[a-z0-9]")
        ? name
        : "clusterset-" + ShortHash.of(clusterSet);
  }

  /**
   * Creates missing objects in the hub, if permitted. The first caller chooses the ranges, later
   * ones use them.
   *
   * @throws IllegalArgumentException if the ranges in the hub are invalid
   * @throws RefusedByHub if an object is missing that only an administrator can create
   */
  static ServiceHub prepare(ApiObjects objects, String clusterSet, List<AddressRange> ranges) {
    var namespace = namespaceOf(clusterSet);
    ServiceDefinitions.inHub(objects);
    DesiredObject.of(ServicesResource.NAMESPACE, "", Map.of("name", namespace), Map.of())
        .put(objects);
    var text = String.join(",", ranges.stream().map(AddressRange::toString).toList());
    var settings =
        DesiredObject.of(
            ServicesResource.CONFIG_MAP,
            namespace,
            Map.of("name", SETTINGS),
            Map.of("data", Map.of(RANGES, text)));
    if (objects.get(ServicesResource.CONFIG_MAP, namespace, SETTINGS).isEmpty()) {
      try {
        objects.create(ServicesResource.CONFIG_MAP, namespace, settings.object());
      } catch (KubernetesClientException e) {
        throw new RefusedByHub(
            "The hub has no ConfigMap %s/%s with the ranges of addresses: let its administrator run muster clusterset create %s. (%s)"
                .formatted(namespace, SETTINGS, clusterSet, e.getMessage()));
      }
    }
    var decided =
        objects
            .get(ServicesResource.CONFIG_MAP, namespace, SETTINGS)
            .map(map -> Fields.text(Fields.map(map.get("data")), RANGES))
            .orElseThrow(() -> new RefusedByHub("The hub has no " + SETTINGS + " yet."));
    try {
      return new ServiceHub(objects, namespace, AddressRange.parseAll(List.of(decided.split(","))));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "ConfigMap %s/%s in the hub, %s: %s"
              .formatted(namespace, SETTINGS, RANGES, e.getMessage()),
          e);
    }
  }

  /** The labels of all objects of a service. */
  static Map<String, String> labels(ServiceName service) {
    return Map.of(
        McsApi.SERVICE_NAME, service.name(), McsApi.SERVICE_NAMESPACE, service.namespace());
  }

  /**
   * Owner references to the cluster's membership, so that the hub's garbage collector deletes its
   * exports with it; empty if the hub knows no such member.
   */
  List<Map<String, Object>> owners(String cluster) {
    return objects.get(ServicesResource.CLUSTERSET_MEMBER, namespace, cluster).stream()
        .map(
            member ->
                Map.<String, Object>of(
                    "apiVersion", ServicesResource.CLUSTERSET_MEMBER.apiVersion(),
                    "kind", ServicesResource.CLUSTERSET_MEMBER.kind(),
                    "name", cluster,
                    "uid", Fields.text(Fields.metadata(member), "uid")))
        .toList();
  }

  List<Map<String, Object>> list(ServicesResource resource, Map<String, String> labels) {
    return objects.list(resource, namespace, labels);
  }

  void delete(ServicesResource resource, Map<String, Object> object) {
    objects.delete(resource, object);
  }
}
