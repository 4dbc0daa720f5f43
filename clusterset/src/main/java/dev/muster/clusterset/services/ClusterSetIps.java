package dev.muster.clusterset.services;

import dev.muster.model.address.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe for any thread. The addresses of the set's services: an object in the hub for each, named
 * after the address, so that no two services can have it, whoever asks at the same time.
 */
final class ClusterSetIps {
  private static final Logger log = LoggerFactory.getLogger(ClusterSetIps.class);
  private static final Comparator<Map<String, Object>> OLDEST_FIRST =
      Comparator.<Map<String, Object>, String>comparing(
              object -> Fields.text(Fields.metadata(object), "creationTimestamp"))
          .thenComparing(Fields::name);

  private final ServiceHub hub;

  ClusterSetIps(ServiceHub hub) {
    this.hub = hub;
  }

  /**
   * The addresses that the service has; of two of a family, the older is kept by everybody.
   *
   * @param families in the order of the service; those that the set has no range for are left out
   * @param allocate whether to take what is missing
   */
  List<String> of(ServiceName service, List<String> families, boolean allocate) {
    var own = hub.list(ServicesResource.CLUSTERSET_IP, ServiceHub.labels(service));
    var addresses = new ArrayList<String>();
    for (var family : wanted(families)) {
      var have =
          own.stream()
              .filter(object -> family.equals(Fields.map(object.get("spec")).get("family")))
              .sorted(OLDEST_FIRST)
              .toList();
      if (have.isEmpty()) {
        var taken = allocate ? take(service, family) : Optional.<String>empty();
        taken.ifPresent(addresses::add);
      } else {
        addresses.add(Fields.text(Fields.map(have.getFirst().get("spec")), "address"));
        have.subList(1, have.size())
            .forEach(more -> hub.delete(ServicesResource.CLUSTERSET_IP, more));
      }
    }
    return addresses;
  }

  private List<String> wanted(List<String> families) {
    var served = hub.ranges().stream().map(AddressRange::family).toList();
    var wanted = families.stream().filter(served::contains).distinct().toList();
    return families.isEmpty() ? served.subList(0, Math.min(1, served.size())) : wanted;
  }

  /** Gives back all that the service has. */
  void release(ServiceName service) {
    hub.list(ServicesResource.CLUSTERSET_IP, ServiceHub.labels(service))
        .forEach(object -> hub.delete(ServicesResource.CLUSTERSET_IP, object));
  }

  /** Begins at a place that depends on the service, so that it mostly gets the same one again. */
  private Optional<String> take(ServiceName service, String family) {
    var range =
        hub.ranges().stream()
            .filter(each -> each.family().equals(family))
            .findFirst()
            .orElseThrow();
    var used = new HashSet<String>();
    hub.list(ServicesResource.CLUSTERSET_IP, Map.of()).forEach(each -> used.add(Fields.name(each)));
    int start = Math.floorMod(service.hashCode(), range.size());
    for (int i = 0; i < range.size(); i++) {
      var address = range.address((start + i) % range.size());
      if (!used.contains(AddressRange.objectName(address)) && create(service, family, address)) {
        return Optional.of(address.toString());
      }
    }
    log.warn("{}: no address is left in {}", service, range);
    return Optional.empty();
  }

  private boolean create(ServiceName service, String family, Ip address) {
    var object =
        DesiredObject.of(
            ServicesResource.CLUSTERSET_IP,
            hub.namespace(),
            Map.of("name", AddressRange.objectName(address), "labels", ServiceHub.labels(service)),
            Map.of(
                "spec",
                Map.of(
                    "address", address.toString(),
                    "family", family,
                    "namespace", service.namespace(),
                    "name", service.name())));
    return hub.objects().create(ServicesResource.CLUSTERSET_IP, hub.namespace(), object.object());
  }
}
