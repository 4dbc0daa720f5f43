package dev.muster.multicluster.services;

import dev.muster.model.address.Ip;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An address of a service, which one cluster allocated.
 *
 * @param owner the cluster that allocated it and alone releases it
 * @param object as the hub has it
 */
record ClusterSetIp(
    ServiceName service, String family, String address, String owner, Map<String, Object> object) {
  ClusterSetIp {
    object = Map.copyOf(object);
  }

  /**
   * Reads the hub's object; empty unless name, address, range, service and owner are consistent.
   */
  static Optional<ClusterSetIp> read(Map<String, Object> object, List<AddressRange> ranges) {
    var spec = Fields.map(object.get("spec"));
    var labels = Fields.labels(object);
    var text = Fields.text(spec, "address");
    var family = Fields.text(spec, "family");
    var service = new ServiceName(Fields.text(spec, "namespace"), Fields.text(spec, "name"));
    var owner = Fields.text(spec, "cluster");
    Ip address;
    try {
      address = Ip.parse(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    boolean fits =
        address.toString().equals(text)
            && AddressRange.objectName(address).equals(Fields.name(object))
            && ranges.stream()
                .anyMatch(range -> range.family().equals(family) && range.contains(address))
            && !owner.isEmpty()
            && McsApi.clusterLabel(owner).equals(labels.get(McsApi.SOURCE_CLUSTER))
            && labels.entrySet().containsAll(ServiceHub.labels(service).entrySet())
            && Fields.metadata(object).get("deletionTimestamp") == null;
    return fits
        ? Optional.of(new ClusterSetIp(service, family, text, owner, object))
        : Optional.empty();
  }

  static DesiredObject desired(
      ServiceHub hub, ServiceName service, String family, Ip address, String owner) {
    return DesiredObject.of(
        ServicesResource.CLUSTERSET_IP,
        hub.namespace(),
        Map.of(
            "name", AddressRange.objectName(address),
            "labels", SliceCopy.labels(service, owner),
            "ownerReferences", hub.owners(owner)),
        Map.of(
            "spec",
            Map.of(
                "address", address.toString(),
                "family", family,
                "namespace", service.namespace(),
                "name", service.name(),
                "cluster", owner)));
  }
}
