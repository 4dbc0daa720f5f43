package dev.muster.multicluster.services;

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
 * Allocates the addresses of a ClusterSet's services. Each address is an object in the hub named
 * after it, so two services can never have the same one, even if clusters allocate concurrently.
 * The object belongs to the cluster that created it. When that cluster stops exporting the service,
 * another exporting cluster allocates the same address. Thread-safe.
 *
 * @param cluster that allocates addresses here
 */
record ClusterSetIps(ServiceHub hub, String cluster) {
  private static final Logger log = LoggerFactory.getLogger(ClusterSetIps.class);

  /**
   * The addresses of the service. Of several in a family, the one of the cluster whose export takes
   * precedence is used; the owners of the others release them.
   *
   * @param published the addresses that this cluster publishes for the service
   */
  List<String> of(ServiceName service, ServiceMerge merge, List<String> published) {
    var all = ofService(service);
    var addresses = new ArrayList<String>();
    var kept = new HashSet<ClusterSetIp>();
    for (var family : wanted(merge.service().ipFamilies())) {
      var before = published.stream().filter(address -> isOf(family, address)).findFirst();
      var chosen =
          all.stream()
              .filter(ip -> ip.family().equals(family) && merge.clusters().contains(ip.owner()))
              .min(byPrecedence(merge.precedence()));
      if (chosen.isPresent()) {
        kept.add(chosen.get());
        addresses.add(chosen.get().address());
      } else if (before.isPresent() && isLeaving(all, before.get())) {
        addresses.add(before.get());
      } else if (merge.clusters().contains(cluster)) {
        take(service, family, before).ifPresent(addresses::add);
      } else {
        before.filter(address -> isFree(service, address)).ifPresent(addresses::add);
      }
    }
    all.stream()
        .filter(ip -> ip.owner().equals(cluster) && !kept.contains(ip))
        .forEach(ip -> hub.delete(ServicesResource.CLUSTERSET_IP, ip.object()));
    return addresses;
  }

  private static Comparator<ClusterSetIp> byPrecedence(List<String> precedence) {
    return Comparator.<ClusterSetIp>comparingInt(ip -> precedence.indexOf(ip.owner()))
        .thenComparing(ip -> Fields.text(Fields.metadata(ip.object()), "creationTimestamp"))
        .thenComparing(ip -> Fields.name(ip.object()));
  }

  private List<ClusterSetIp> ofService(ServiceName service) {
    return hub.list(ServicesResource.CLUSTERSET_IP, ServiceHub.labels(service)).stream()
        .flatMap(object -> ClusterSetIp.read(object, hub.ranges()).stream())
        .filter(ip -> ip.service().equals(service))
        .toList();
  }

  /** Whether the owner no longer exports the service and is about to release the address. */
  private boolean isLeaving(List<ClusterSetIp> all, String address) {
    return all.stream().anyMatch(ip -> ip.address().equals(address) && !ip.owner().equals(cluster));
  }

  /** Whether no other service can have the address at this moment. */
  private boolean isFree(ServiceName service, String address) {
    return hub.objects()
        .get(
            ServicesResource.CLUSTERSET_IP,
            hub.namespace(),
            AddressRange.objectName(Ip.parse(address)))
        .flatMap(object -> ClusterSetIp.read(object, hub.ranges()))
        .filter(ip -> !ip.service().equals(service))
        .isEmpty();
  }

  private boolean isOf(String family, String text) {
    try {
      var address = Ip.parse(text);
      return hub.ranges().stream()
          .anyMatch(range -> range.family().equals(family) && range.contains(address));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private List<String> wanted(List<String> families) {
    var served = hub.ranges().stream().map(AddressRange::family).toList();
    var wanted = families.stream().filter(served::contains).distinct().toList();
    return families.isEmpty() ? served.subList(0, Math.min(1, served.size())) : wanted;
  }

  /** Releases all addresses that this cluster allocated for the service. */
  void release(ServiceName service) {
    hub.list(ServicesResource.CLUSTERSET_IP, SliceCopy.labels(service, cluster)).stream()
        .filter(object -> cluster.equals(owner(object)))
        .forEach(object -> hub.delete(ServicesResource.CLUSTERSET_IP, object));
  }

  /** Releases all addresses that this cluster allocated. */
  void releaseAll() {
    var own = Map.of(McsApi.SOURCE_CLUSTER, McsApi.clusterLabel(cluster));
    hub.list(ServicesResource.CLUSTERSET_IP, own).stream()
        .filter(object -> cluster.equals(owner(object)))
        .forEach(object -> hub.delete(ServicesResource.CLUSTERSET_IP, object));
  }

  private static String owner(Map<String, Object> object) {
    return Fields.text(Fields.map(object.get("spec")), "cluster");
  }

  /**
   * Allocates the service's former address if it is free. Otherwise the search begins at a position
   * that depends on the service, so that it usually gets the same address again.
   */
  private Optional<String> take(ServiceName service, String family, Optional<String> before) {
    var range =
        hub.ranges().stream()
            .filter(each -> each.family().equals(family))
            .findFirst()
            .orElseThrow();
    if (before.isPresent() && create(service, family, Ip.parse(before.get()))) {
      return before;
    }
    var used = new HashSet<String>();
    hub.list(ServicesResource.CLUSTERSET_IP, Map.of()).forEach(each -> used.add(Fields.name(each)));
    int start = Math.floorMod(service.hashCode(), range.size());
    for (int i = 0; i < range.size(); i++) {
      var address = range.address((start + i) % range.size());
      var name = AddressRange.objectName(address);
      if (!name.endsWith("-") && !used.contains(name) && create(service, family, address)) {
        return Optional.of(address.toString());
      }
    }
    log.warn("{}: no address is left in {}", service, range);
    return Optional.empty();
  }

  private boolean create(ServiceName service, String family, Ip address) {
    return hub.objects()
        .create(
            ServicesResource.CLUSTERSET_IP,
            hub.namespace(),
            ClusterSetIp.desired(hub, service, family, address, cluster).object());
  }
}
