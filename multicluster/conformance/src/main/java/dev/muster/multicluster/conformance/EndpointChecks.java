package dev.muster.multicluster.conformance;

import static dev.muster.multicluster.conformance.FleetRequirement.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks the endpoints of the {@code kubernetes} Service: they are the live API servers, and do not
 * flap.
 */
final class EndpointChecks {
  private EndpointChecks() {}

  static void run(FleetObservation seen, FleetFindings findings) {
    var published = seen.published();
    var sockets = published.sockets();
    if (sockets.isEmpty()) {
      findings.notImplemented(Document.ENDPOINTS, "the kubernetes Service has no endpoints");
      return;
    }
    living(seen, findings, sockets);
    alike(published, findings);
    ports(published, findings);
    var gap = seen.history().gap();
    if (gap.isPresent()) {
      findings.notObserved(ENDPOINTS_STABLE, gap.get());
      findings.notObserved(ENDPOINTS_QUIET, gap.get());
    } else {
      var time = "seconds watched, in which nothing came back or went again";
      var seconds = seen.watched().toSeconds();
      findings.add(ENDPOINTS_STABLE, seen.history().flapping(), seconds, time);
      int idle = seen.history().idleWrites();
      findings.add(
          ENDPOINTS_QUIET,
          idle == 0 ? List.of() : List.of(idle + " writes changed nothing that is published"),
          seconds,
          "seconds watched without such a write");
    }
    if (seen.unreached().isEmpty()) {
      findings.notObserved(ENDPOINTS_REACHED, "no endpoint can be reached from here");
    } else {
      findings.add(
          ENDPOINTS_REACHED,
          seen.unreached().get().stream().map(socket -> socket + " does not answer").toList(),
          sockets.size(),
          "endpoints accept connections");
    }
  }

  /**
   * Compares servers that publish their address with the endpoints. Of other servers there must be
   * at least as many as addresses, since several may share one.
   */
  private static void living(
      FleetObservation seen, FleetFindings findings, SortedSet<String> sockets) {
    var living = seen.living();
    if (living.isEmpty()) {
      findings.notObserved(ENDPOINTS_LIVING, "no living server has a Lease");
      findings.notObserved(ENDPOINTS_COMPLETE, "no living server has a Lease");
      return;
    }
    var advertised = new TreeSet<String>();
    living.forEach(server -> advertised.addAll(server.addresses()));
    var unknown = new TreeSet<>(sockets);
    unknown.removeAll(advertised);
    long silent = living.stream().filter(server -> server.addresses().isEmpty()).count();
    var excess = new ArrayList<String>();
    for (var family : List.of("IPv4", "IPv6")) {
      var strange =
          unknown.stream()
              .filter(socket -> PublishedFleet.family(PublishedFleet.host(socket)).equals(family))
              .toList();
      if (strange.size() > silent) {
        excess.add(
            silent == 0
                ? strange + " belong to no living server"
                : "%s are more than the %d living servers that do not say their addresses"
                    .formatted(strange, silent));
      }
    }
    findings.add(
        ENDPOINTS_LIVING,
        excess,
        sockets.size(),
        "endpoints, none of them of a server that is gone");
    var absent = new TreeSet<>(advertised);
    absent.removeAll(sockets);
    absent.removeIf(socket -> loopback(PublishedFleet.host(socket)));
    var complete = new TreeSet<>(advertised);
    complete.retainAll(sockets);
    if (absent.isEmpty() && complete.isEmpty()) {
      findings.notObserved(
          ENDPOINTS_COMPLETE, "no living server says at which address it is published");
    } else {
      findings.add(
          ENDPOINTS_COMPLETE,
          absent.stream().map(socket -> socket + " is not published").toList(),
          complete.size(),
          "addresses of living servers are published");
    }
  }

  /** The API refuses such addresses, so the server cannot be published. */
  private static boolean loopback(String address) {
    return address.startsWith("127.") || address.equals("::1");
  }

  private static void alike(PublishedFleet published, FleetFindings findings) {
    var inSlices = new TreeSet<String>();
    published.socketsByFamily().values().forEach(inSlices::addAll);
    var wrong = new ArrayList<String>();
    var addresses = published.endpointAddresses();
    for (var address : new TreeSet<>(addresses)) {
      if (inSlices.stream().noneMatch(socket -> PublishedFleet.host(socket).equals(address))) {
        wrong.add(address + " is in Endpoints and in no EndpointSlice");
      }
    }
    var families = addresses.stream().map(PublishedFleet::family).distinct().toList();
    for (var socket : inSlices) {
      var host = PublishedFleet.host(socket);
      if (!addresses.contains(host)
          && (families.isEmpty() || families.contains(PublishedFleet.family(host)))) {
        wrong.add(host + " is in an EndpointSlice and not in Endpoints");
      }
    }
    findings.add(ENDPOINTS_ALIKE, wrong, addresses.size() + inSlices.size(), "addresses compared");
  }

  private static void ports(PublishedFleet published, FleetFindings findings) {
    if (published.service().isEmpty()) {
      findings.fail(ENDPOINTS_PORTS, "there is no kubernetes Service");
      return;
    }
    var names =
        PublishedFleet.list(published.service().get().getSpec().getPorts()).stream()
            .map(port -> Objects.requireNonNullElse(port.getName(), ""))
            .toList();
    var wrong = new ArrayList<String>();
    if (names.isEmpty()) {
      wrong.add("the Service has no port");
    }
    for (var subset : published.endpoints().map(all -> all.getSubsets()).orElse(List.of())) {
      for (var port : PublishedFleet.list(subset.getPorts())) {
        if (!names.contains(Objects.requireNonNullElse(port.getName(), ""))) {
          wrong.add("Endpoints have a port %s \"%s\"".formatted(port.getPort(), port.getName()));
        }
      }
    }
    for (var slice : published.slices()) {
      if (PublishedFleet.list(slice.getPorts()).isEmpty()
          && !PublishedFleet.list(slice.getEndpoints()).isEmpty()) {
        wrong.add(slice.getMetadata().getName() + " has no port");
      }
      for (var port : PublishedFleet.list(slice.getPorts())) {
        if (!names.contains(Objects.requireNonNullElse(port.getName(), ""))) {
          wrong.add(
              "%s has a port %s \"%s\""
                  .formatted(slice.getMetadata().getName(), port.getPort(), port.getName()));
        }
      }
    }
    findings.add(ENDPOINTS_PORTS, wrong, names.size(), "ports of the Service");
  }
}
