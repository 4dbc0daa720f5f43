package dev.muster.multicluster.conformance;

import static dev.muster.multicluster.conformance.FleetRequirement.*;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks KEP-2438: a dual-stack {@code kubernetes} Service with API servers of both address
 * families.
 */
final class DualStackChecks {
  private DualStackChecks() {}

  static void run(FleetObservation seen, FleetFindings findings) {
    var published = seen.published();
    var inSlices = published.socketsByFamily();
    boolean service = published.serviceFamilies().size() > 1;
    var advertised = new TreeSet<String>();
    for (var server : seen.living()) {
      var its = new TreeSet<String>();
      server.addresses().forEach(each -> its.add(PublishedFleet.family(PublishedFleet.host(each))));
      if (its.size() > 1) {
        advertised.addAll(its);
      }
    }
    if (!service && inSlices.size() < 2 && advertised.size() < 2) {
      findings.notImplemented(Document.DUAL_STACK, "nothing of a second family is published");
      return;
    }
    var wrong = new ArrayList<String>();
    if (inSlices.size() > 1 && !service) {
      wrong.add("there are EndpointSlices of both families and a Service of one");
    }
    if (service) {
      published
          .service()
          .map(found -> found.getSpec().getIpFamilyPolicy())
          .filter(policy -> !"RequireDualStack".equals(policy))
          .ifPresent(policy -> wrong.add("its policy is " + policy));
      if (published.serviceAddresses().size() != 2) {
        wrong.add("its addresses are " + published.serviceAddresses());
      }
    }
    findings.add(
        DUAL_STACK_SERVICE,
        wrong,
        published.serviceAddresses().size(),
        "addresses of the Service: " + String.join(", ", published.serviceAddresses()));
    findings.add(
        DUAL_STACK_BACKED,
        published.serviceFamilies().stream()
            .filter(family -> !inSlices.containsKey(family))
            .map(family -> "nothing of " + family + " is behind the Service")
            .toList(),
        published.serviceFamilies().size(),
        "families of the Service, with endpoints of each");
    findings.add(
        DUAL_STACK_SLICES,
        slices(published, advertised),
        published.slices().size(),
        "EndpointSlices of the families " + String.join(", ", inSlices.keySet()));
    findings.add(
        DUAL_STACK_ENDPOINTS,
        published.endpointAddresses().stream()
            .filter(address -> !published.serviceFamilies().isEmpty())
            .filter(
                address ->
                    !PublishedFleet.family(address).equals(published.serviceFamilies().getFirst()))
            .map(address -> address + " is not of the first family")
            .toList(),
        published.endpointAddresses().size(),
        "addresses in Endpoints, all of the first family");
    if (seen.ranges().isEmpty()) {
      findings.notObserved(DUAL_STACK_FIRST, "the fleet does not say its ranges");
    } else {
      var first = new HashSet<>(seen.ranges());
      findings.add(
          DUAL_STACK_FIRST,
          published.serviceAddresses().stream()
              .filter(address -> !first.contains(address))
              .map(address -> address + " is the first of no range")
              .toList(),
          published.serviceAddresses().size(),
          "addresses of the Service, each the first of a range");
    }
  }

  private static List<String> slices(PublishedFleet published, Set<String> advertised) {
    var wrong = new ArrayList<String>();
    for (var family : advertised) {
      if (!published.socketsByFamily().containsKey(family)) {
        wrong.add("servers have addresses of " + family + ", and no EndpointSlice has");
      }
    }
    for (var slice : published.slices()) {
      for (var socket : PublishedFleet.sockets(slice)) {
        if (!PublishedFleet.family(PublishedFleet.host(socket)).equals(slice.getAddressType())) {
          wrong.add(
              "%s is in %s of %s"
                  .formatted(socket, slice.getMetadata().getName(), slice.getAddressType()));
        }
      }
    }
    return wrong;
  }
}
