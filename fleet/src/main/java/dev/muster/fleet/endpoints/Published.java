package dev.muster.fleet.endpoints;

import dev.muster.model.Addresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a fleet should show of itself: a function of its members' records and of the primary family
 * alone. Every server that sees the same records arrives at the same answer, whatever its own flags
 * are, which is why servers do not undo one another's work.
 *
 * @param primary the ports and addresses of the primary family; the first one is the main group
 * @param secondary those of the other family
 * @param dualStack whether a server advertises both families
 * @param port the port that most servers have, the lowest of several
 * @param mixed whether kube-apiservers are among the members, which know one group only
 */
record Published(
    Family family,
    List<Group> primary,
    List<Group> secondary,
    boolean dualStack,
    int port,
    boolean mixed) {

  /** Addresses with one port, sorted as kube-apiserver sorts them; never empty. */
  record Group(int port, List<String> addresses) {}

  /**
   * @param ownPort the port of kube-apiservers when no other record tells one
   */
  static Published of(Collection<Member> members, Family family, int ownPort) {
    int port = mainPort(members, ownPort);
    Map<String, TreeSet<Integer>> ports = new TreeMap<>();
    for (var member : members) {
      if (member.port() != 0) {
        for (var address : publishable(member)) {
          ports.computeIfAbsent(address, _ -> new TreeSet<>()).add(member.port());
        }
      }
    }
    boolean mixed = false;
    for (var member : members) {
      if (member.port() == 0) {
        for (var address : publishable(member)) {
          mixed = true;
          ports.computeIfAbsent(address, _ -> new TreeSet<>()).add(port);
        }
      }
    }
    return new Published(
        family,
        groups(ports, family, port),
        groups(ports, family.other(), port),
        isDualStack(members),
        port,
        mixed);
  }

  /** The port that most servers have; of several such, the lowest. */
  static int mainPort(Collection<Member> members, int otherwise) {
    var counts = new TreeMap<Integer, Integer>();
    for (var member : members) {
      if (member.port() != 0) {
        counts.merge(member.port(), 1, Integer::sum);
      }
    }
    int found = otherwise;
    int most = 0;
    for (var entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        found = entry.getKey();
      }
    }
    return found;
  }

  /** The groups that the Endpoints object shows: kube-apiserver undoes more than one. */
  List<Group> endpoints() {
    return mixed && primary.size() > 1 ? primary.subList(0, 1) : primary;
  }

  int addresses(Family asked) {
    var groups = asked == family ? primary : secondary;
    return groups.stream().mapToInt(group -> group.addresses().size()).sum();
  }

  /** ConfigMap entries have one address each, so that a pair is seen only in all of them. */
  private static boolean isDualStack(Collection<Member> members) {
    Map<Integer, TreeSet<Family>> entries = new HashMap<>();
    for (var member : members) {
      var shown = publishable(member);
      if (shown.stream().map(Family::of).distinct().count() == 2) {
        return true;
      }
      if (member.source() == Member.Source.CONFIGMAP) {
        for (var address : shown) {
          var families = entries.computeIfAbsent(member.port(), _ -> new TreeSet<>());
          families.add(Family.of(address));
          if (families.size() == 2) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** The API takes no addresses that mean something else on every machine. */
  private static List<String> publishable(Member member) {
    return member.addresses().stream().filter(Published::isPublishable).toList();
  }

  static boolean isPublishable(String text) {
    InetAddress address;
    try {
      address = Addresses.parse(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
    return !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()
        && !address.isLinkLocalAddress()
        && !address.isMulticastAddress();
  }

  private static List<Group> groups(
      Map<String, TreeSet<Integer>> ports, Family family, int mainPort) {
    var byPort = new TreeMap<Integer, List<String>>();
    ports.forEach(
        (address, taken) -> {
          if (Family.of(address) == family) {
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
