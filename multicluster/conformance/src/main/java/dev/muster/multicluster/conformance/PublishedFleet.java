package dev.muster.multicluster.conformance;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The {@code kubernetes} Service, its Endpoints and its EndpointSlices. */
record PublishedFleet(
    Optional<Service> service, Optional<Endpoints> endpoints, List<EndpointSlice> slices) {

  /** Addresses with ports, as in {@code [2001:db8::1]:6443}. */
  static SortedSet<String> sockets(Endpoints endpoints) {
    var found = new TreeSet<String>();
    for (var subset : list(endpoints.getSubsets())) {
      for (var port : list(subset.getPorts())) {
        for (var address : list(subset.getAddresses())) {
          found.add(socket(address.getIp(), port.getPort()));
        }
      }
    }
    return found;
  }

  static SortedSet<String> sockets(EndpointSlice slice) {
    var found = new TreeSet<String>();
    for (var port : list(slice.getPorts())) {
      for (var endpoint : list(slice.getEndpoints())) {
        for (var address : list(endpoint.getAddresses())) {
          found.add(socket(address, Objects.requireNonNullElse(port.getPort(), 0)));
        }
      }
    }
    return found;
  }

  /** The sockets in the slices, by address family. */
  SortedMap<String, SortedSet<String>> socketsByFamily() {
    var found = new TreeMap<String, SortedSet<String>>();
    for (var slice : slices) {
      var sockets = sockets(slice);
      if (!sockets.isEmpty()) {
        found.computeIfAbsent(slice.getAddressType(), family -> new TreeSet<>()).addAll(sockets);
      }
    }
    return found;
  }

  /** All published sockets. */
  SortedSet<String> sockets() {
    var all = new TreeSet<String>();
    endpoints.ifPresent(found -> all.addAll(sockets(found)));
    slices.forEach(slice -> all.addAll(sockets(slice)));
    return all;
  }

  /** The addresses of the Endpoints, without ports. */
  List<String> endpointAddresses() {
    return endpoints.stream()
        .flatMap(found -> list(found.getSubsets()).stream())
        .flatMap(subset -> list(subset.getAddresses()).stream())
        .map(EndpointAddress::getIp)
        .toList();
  }

  List<String> serviceFamilies() {
    return service.map(found -> list(found.getSpec().getIpFamilies())).orElse(List.of());
  }

  List<String> serviceAddresses() {
    return service
        .map(
            found -> {
              var all = list(found.getSpec().getClusterIPs());
              var one = found.getSpec().getClusterIP();
              return all.isEmpty() && one != null ? List.of(one) : all;
            })
        .orElse(List.of());
  }

  static String family(String address) {
    return address.contains(":") ? "IPv6" : "IPv4";
  }

  static String socket(String address, int port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  /** The address of a socket, without brackets. */
  static String host(String socket) {
    var host = socket.substring(0, socket.lastIndexOf(':'));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : given;
  }
}
