package dev.muster.fleet.endpoints.form;

import dev.muster.model.address.Ip;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The endpoints that a fleet should publish. Only its members and the primary family determine
 * them: servers that see the same members compute the same endpoints, whatever their own flags are,
 * and so do not undo one another's work.
 *
 * @param primary the ports and addresses of the primary family; the first one is the main group
 * @param secondary those of the other family
 * @param dualStack whether a server advertises both families
 * @param port the main port: see {@link #mainPort}
 * @param mixed whether there are kube-apiservers among the members, which know one group only
 */
public record PublishedServers(
    AddressFamily family,
    List<Group> primary,
    List<Group> secondary,
    boolean dualStack,
    int port,
    boolean mixed) {

  /** Addresses with one port, sorted as kube-apiserver sorts them; never empty. */
  public record Group(int port, List<String> addresses) {}

  /**
   * @param members each with a port
   * @param ownPort the main port when there are no members
   */
  public static PublishedServers of(
      Collection<FleetMember> members, AddressFamily family, int ownPort) {
    int port = mainPort(members, ownPort);
    Map<String, TreeSet<Integer>> ports = new TreeMap<>();
    boolean mixed = false;
    for (var member : members) {
      for (var address : publishable(member)) {
        ports.computeIfAbsent(address, _ -> new TreeSet<>()).add(member.port());
        mixed |= member.source() == FleetMember.Source.MASTER_LEASE;
      }
    }
    return new PublishedServers(
        family,
        groups(ports, family, port),
        groups(ports, family.other(), port),
        isDualStack(members),
        port,
        mixed);
  }

  /**
   * The port of most addresses, or the lowest of several such ports. With kube-apiservers it is
   * their port, because each of them publishes its own address with the only port of the Endpoints.
   */
  public static int mainPort(Collection<FleetMember> members, int otherwise) {
    var kubeApiservers =
        members.stream()
            .filter(member -> member.source() == FleetMember.Source.MASTER_LEASE)
            .toList();
    var counts = new TreeMap<Integer, TreeSet<String>>();
    for (var member : kubeApiservers.isEmpty() ? members : kubeApiservers) {
      counts.computeIfAbsent(member.port(), _ -> new TreeSet<>()).addAll(member.addresses());
    }
    int found = otherwise;
    int most = 0;
    for (var entry : counts.entrySet()) {
      if (entry.getValue().size() > most) {
        most = entry.getValue().size();
        found = entry.getKey();
      }
    }
    return found;
  }

  /** The groups in the Endpoints object: kube-apiserver removes all but one. */
  List<Group> endpoints() {
    return mixed && primary.size() > 1 ? primary.subList(0, 1) : primary;
  }

  public int addresses(AddressFamily asked) {
    var groups = asked == family ? primary : secondary;
    return groups.stream().mapToInt(group -> group.addresses().size()).sum();
  }

  /**
   * Entries of the ConfigMap have one address each, so only all of them together show both
   * families.
   */
  private static boolean isDualStack(Collection<FleetMember> members) {
    Map<Integer, TreeSet<AddressFamily>> entries = new HashMap<>();
    for (var member : members) {
      var shown = publishable(member);
      if (shown.stream().map(AddressFamily::of).distinct().count() == 2) {
        return true;
      }
      if (member.source() == FleetMember.Source.CONFIGMAP
          || member.source() == FleetMember.Source.PUBLISHED) {
        for (var address : shown) {
          var families = entries.computeIfAbsent(member.port(), _ -> new TreeSet<>());
          families.add(AddressFamily.of(address));
          if (families.size() == 2) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Leaves out loopback, unspecified, link-local and multicast addresses, which the API rejects.
   */
  private static List<String> publishable(FleetMember member) {
    return member.addresses().stream().filter(PublishedServers::isPublishable).toList();
  }

  public static boolean isPublishable(String text) {
    Ip address;
    try {
      address = Ip.parse(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
    return !address.isLoopback()
        && !address.isUnspecified()
        && !address.isLinkLocalUnicast()
        && !address.isMulticast();
  }

  private static List<Group> groups(
      Map<String, TreeSet<Integer>> ports, AddressFamily family, int mainPort) {
    var byPort = new TreeMap<Integer, List<String>>();
    ports.forEach(
        (address, taken) -> {
          if (AddressFamily.of(address) == family) {
            for (int port : taken) {
              byPort.computeIfAbsent(port, _ -> new ArrayList<>()).add(address);
            }
          }
        });
    var groups = new ArrayList<Group>();
    var main = byPort.remove(mainPort);
    if (main != null) {
      groups.add(new Group(mainPort, List.copyOf(main)));
    }
    byPort.forEach((port, addresses) -> groups.add(new Group(port, List.copyOf(addresses))));
    return List.copyOf(groups);
  }
}
