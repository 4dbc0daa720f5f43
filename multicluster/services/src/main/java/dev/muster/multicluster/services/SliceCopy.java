package dev.muster.multicluster.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies EndpointSlices from a cluster to the hub and from there to all members. */
final class SliceCopy {
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

  /**
   * The fields of an endpoint that are meaningful in other clusters; nodes, pods and hints are not.
   */
  private static final List<String> KEPT = List.of("addresses", "conditions", "hostname", "zone");

  private SliceCopy() {}

  /** Whether the slice contains IP addresses instead of host names. */
  static boolean hasAddresses(Map<String, Object> slice) {
    return !"FQDN".equals(slice.get("addressType"));
  }

  /** The labels of all slices in the hub that a cluster exports for a service. */
  static Map<String, String> labels(ServiceName service, String cluster) {
    var labels = new LinkedHashMap<>(ServiceHub.labels(service));
    labels.put(McsApi.SOURCE_CLUSTER, McsApi.clusterLabel(cluster));
    return labels;
  }

  /**
   * @param owners the owner references in the hub
   */
  static DesiredObject toHub(
      String namespace,
      ServiceName service,
      String cluster,
      Map<String, Object> slice,
      List<Map<String, Object>> owners) {
    var name = HubNames.ofSlice(cluster, service, slice);
    var labels = new LinkedHashMap<>(labels(service, cluster));
    labels.put(MANAGED_BY, McsApi.MANAGER);
    return DesiredObject.of(
        ServicesResource.ENDPOINT_SLICE,
        namespace,
        Map.of(
            "name", name,
            "labels", labels,
            "annotations", Map.of(McsApi.SOURCE_CLUSTER, cluster),
            "ownerReferences", owners),
        content(slice));
  }

  /** Whether name, label and annotation of a slice in the hub are consistent. */
  static boolean isWhole(Map<String, Object> slice) {
    return HubNames.isOf(McsApi.sourceCluster(slice), Fields.name(slice))
        && hasAddresses(slice)
        && Fields.metadata(slice).get("deletionTimestamp") == null;
  }

  /** Whether an EndpointSlice of this cluster was imported and may be overwritten. */
  static boolean isImported(Map<String, Object> slice) {
    return McsApi.MANAGER.equals(Fields.labels(slice).get(MANAGED_BY));
  }

  static DesiredObject toMember(
      ServiceName service, Map<String, Object> slice, Map<String, Object> owner) {
    var cluster = McsApi.sourceCluster(slice);
    var reference =
        Map.of(
            "apiVersion", ServicesResource.SERVICE_IMPORT.apiVersion(),
            "kind", ServicesResource.SERVICE_IMPORT.kind(),
            "name", service.name(),
            "uid", Fields.text(Fields.metadata(owner), "uid"));
    return DesiredObject.of(
        ServicesResource.ENDPOINT_SLICE,
        service.namespace(),
        Map.of(
            "name", "imported-" + ShortHash.nameWithin(50, service.name(), Fields.name(slice)),
            "labels",
                Map.of(
                    McsApi.SERVICE_NAME,
                    service.name(),
                    McsApi.SOURCE_CLUSTER,
                    McsApi.clusterLabel(cluster),
                    MANAGED_BY,
                    McsApi.MANAGER),
            "annotations", Map.of(McsApi.SOURCE_CLUSTER, cluster),
            "ownerReferences", List.of(reference)),
        content(slice));
  }

  private static Map<String, Object> content(Map<String, Object> slice) {
    var endpoints = new ArrayList<Map<String, Object>>();
    for (var item : Fields.list(slice.get("endpoints"))) {
      var endpoint = new LinkedHashMap<>(Fields.map(item));
      endpoint.keySet().retainAll(KEPT);
      endpoints.add(endpoint);
    }
    var content = new LinkedHashMap<String, Object>();
    content.put("addressType", Fields.text(slice, "addressType"));
    content.put("endpoints", endpoints);
    content.put("ports", Fields.list(slice.get("ports")));
    return content;
  }
}
