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
 * Determines the ports of kube-apiservers, whose records do not state them. A published address
 * keeps its port. A new address gets the port of the other kube-apiservers, or that of the fleet.
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
   * @param self its port is the default
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
   * The port of an address in the Endpoints object, if possible one that no Muster server has
   * there; 0 when the address is not published.
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
