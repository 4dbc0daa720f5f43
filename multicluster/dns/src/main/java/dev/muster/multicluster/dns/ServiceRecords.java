package dev.muster.multicluster.dns;

import dev.muster.multicluster.services.ServiceName;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Computes the DNS names of one service by version 1.0.0 of the KEP-1645 specification. Names are
 * relative to the service's name, which is "". Not thread-safe.
 */
final class ServiceRecords {
  private final ZoneOptions options;
  private final String base;
  private final Map<String, Set<InetAddress>> addresses = new TreeMap<>();
  private final Map<String, Set<Target>> targets = new TreeMap<>();

  /** A port on a target, whose name is relative, too. */
  private record Target(int port, String name) {}

  private ServiceRecords(ServiceName service, ZoneOptions options) {
    this.options = options;
    this.base = service.name() + "." + service.namespace() + ".svc." + options.zone();
  }

  /** All names of the service; empty if it has no records. */
  static Map<String, NameRecords> of(
      ImportedService service, Collection<ImportedSlice> slices, ZoneOptions options) {
    var records = new ServiceRecords(service.name(), options);
    if (!DnsLabels.servable(records.base)) {
      return Map.of();
    }
    if (service.headless()) {
      records.addEndpoints(slices);
    } else {
      records.addService(service);
    }
    return records.names();
  }

  private void addService(ImportedService service) {
    service.addresses().forEach(address -> address("", address));
    if (addresses.isEmpty()) {
      return;
    }
    service.ports().forEach(port -> target(port, port.number(), ""));
  }

  private void addEndpoints(Collection<ImportedSlice> slices) {
    var byCluster = new TreeMap<String, Set<InetAddress>>();
    for (var slice : slices) {
      for (var endpoint : slice.endpoints()) {
        endpoint.addresses().forEach(address -> address("", address));
        if (slice.cluster().isEmpty()) {
          continue;
        }
        byCluster
            .computeIfAbsent(slice.cluster(), cluster -> new LinkedHashSet<>())
            .addAll(endpoint.addresses());
        for (var address : endpoint.addresses()) {
          var host = endpoint.hostname().isEmpty() ? dashed(address) : endpoint.hostname();
          var name = host + "." + slice.cluster();
          if (address(name, address)) {
            slice.ports().forEach(port -> target(port, port.number(), name));
          }
        }
      }
    }
    if (!options.strict()) {
      addClusters(byCluster);
    }
  }

  /** An ID such as {@code a.b} can also be read as host a in cluster b; the host comes first. */
  private void addClusters(Map<String, Set<InetAddress>> byCluster) {
    byCluster.forEach(
        (cluster, all) -> {
          if (!addresses.containsKey(cluster)) {
            all.forEach(address -> address(cluster, address));
          }
        });
  }

  /** A name for an endpoint without host name, as cluster DNS forms it. */
  private static String dashed(InetAddress address) {
    return address.getHostAddress().replace('.', '-').replace(':', '-');
  }

  private boolean address(String name, InetAddress address) {
    if (!DnsLabels.servable(full(name))) {
      return false;
    }
    addresses.computeIfAbsent(name, added -> new LinkedHashSet<>()).add(address);
    return true;
  }

  private void target(ImportedService.ServicePort port, int number, String name) {
    var service = "_" + port.name() + "._" + port.protocol().toLowerCase(Locale.ROOT);
    if (DnsLabels.servable(full(service))) {
      targets
          .computeIfAbsent(service, added -> new LinkedHashSet<>())
          .add(new Target(number, name));
    }
  }

  private String full(String name) {
    return name.isEmpty() ? base : name + "." + base;
  }

  private Map<String, NameRecords> names() {
    var names = new HashMap<String, NameRecords>();
    addresses.forEach((name, set) -> names.put(name, NameRecords.of(records(set))));
    targets.forEach((name, set) -> names.put(name, services(set)));
    for (var name : List.copyOf(names.keySet())) {
      for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        names.putIfAbsent(name.substring(dot + 1), NameRecords.NONE);
      }
    }
    return names;
  }

  private List<ZoneRecord> records(Set<InetAddress> of) {
    return of.stream().map(address -> ZoneRecord.address(address, options.ttl())).toList();
  }

  private NameRecords services(Set<Target> of) {
    var records = new ArrayList<ZoneRecord>();
    var additional = new LinkedHashMap<String, List<ZoneRecord>>();
    for (var target : of) {
      var name = full(target.name());
      records.add(ZoneRecord.service(target.port(), name, options.ttl()));
      additional.computeIfAbsent(
          name,
          owner ->
              records(addresses.getOrDefault(target.name(), Set.of())).stream()
                  .map(record -> record.ownedBy(owner))
                  .toList());
    }
    return NameRecords.of(records, additional.values().stream().flatMap(List::stream).toList());
  }
}
