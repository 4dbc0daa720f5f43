package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.PublishedServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The ports of kube-apiservers, whose records do not tell them. What is published for such an
 * address stays; one that is not published yet gets the port of the other kube-apiservers, or that
 * of the fleet.
 */
final class KubeApiserverPorts {
  private final Map<String, Integer> known;
  private final int others;

  private KubeApiserverPorts(Map<String, Integer> known, int others) {
    this.known = known;
    this.others = others;
  }

  /**
   * @param members with and without port
   * @param self whose port is assumed when there is nothing else to go by
   */
  static KubeApiserverPorts of(
      Collection<FleetMember> members, EndpointsView view, OwnRecord self) {
    Map<String, Integer> known = new HashMap<>();
    var resolved = new ArrayList<FleetMember>();
    var withPort = members.stream().filter(member -> member.port() != 0).toList();
    for (var member : members) {
      if (member.port() == 0) {
        int port = published(member.addresses().getFirst(), withPort, view);
        if (port != 0) {
          known.put(member.addresses().getFirst(), port);
          resolved.add(member.withPort(port));
        }
      }
    }
    int others = PublishedServers.mainPort(resolved.isEmpty() ? withPort : resolved, self.port());
    return new KubeApiserverPorts(known, others);
  }

  /**
   * The port under which the Endpoints have an address, one that no server of ours has there if
   * possible; 0 when they do not have it.
   */
  private static int published(String address, List<FleetMember> withPort, EndpointsView view) {
    var shown = new TreeSet<Integer>();
    for (var endpoint : view.endpoints()) {
      if (endpoint.address().equals(address)) {
        shown.add(endpoint.port());
      }
    }
    var alone = new TreeSet<>(shown);
    for (var member : withPort) {
      if (member.addresses().contains(address)) {
        alone.remove(member.port());
      }
    }
    return alone.isEmpty() ? (shown.isEmpty() ? 0 : shown.first()) : alone.first();
  }

  /** The member with its port. */
  FleetMember complete(FleetMember member) {
    return member.port() != 0
        ? member
        : member.withPort(known.getOrDefault(member.addresses().getFirst(), others));
  }
}
