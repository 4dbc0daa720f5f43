package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Warns about conflicting ports of a pod's containers. */
final class PortWarnings {
  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** A port and its position. */
  private record Numbered(int number, FieldCursor port) {}

  /** Ports with the same number and protocol, by their host ports and addresses. */
  private record Alike(
      List<Numbered> all, Map<Long, List<Numbered>> byHost, Map<String, List<Numbered>> byAddress) {
    Alike() {
      this(new ArrayList<>(), new HashMap<>(), new HashMap<>());
    }

    private static String address(long host, String ip) {
      return host + "/" + ip;
    }

    /** Adds a port, and returns the ports that conflict with it, in their order. */
    List<Numbered> add(FieldCursor port) {
      long host = port.at("hostPort").integer();
      var ip = port.at("hostIP").text();
      var met = new ArrayList<Numbered>();
      if (host == 0) {
        met.addAll(all);
      } else {
        met.addAll(byHost.getOrDefault(0L, List.of()));
        if (ip.isEmpty()) {
          met.addAll(byHost.getOrDefault(host, List.of()));
        } else {
          met.addAll(byAddress.getOrDefault(address(host, ip), List.of()));
          met.addAll(byAddress.getOrDefault(address(host, ""), List.of()));
        }
        met.sort(Comparator.comparingInt(Numbered::number));
      }
      var added = new Numbered(all.size(), port);
      all.add(added);
      byHost.computeIfAbsent(host, ignored -> new ArrayList<>()).add(added);
      byAddress.computeIfAbsent(address(host, ip), ignored -> new ArrayList<>()).add(added);
      return met;
    }
  }

  private PortWarnings() {}

  static void check(FieldCursor spec) {
    var ports = new ArrayList<FieldCursor>();
    for (var list : CONTAINERS) {
      for (var container : spec.at(list).items()) {
        ports.addAll(container.at("ports").items());
      }
    }
    numbers(ports);
    names(ports);
  }

  private static void numbers(List<FieldCursor> ports) {
    var known = new HashMap<String, Alike>();
    for (var port : ports) {
      if (!port.at("hostIP").isEmpty() && port.at("hostPort").integer() == 0) {
        warn(port, "hostIP set without hostPort: " + text(port));
      }
      var key = port.at("containerPort").integer() + "/" + port.at("protocol").text();
      for (var other : known.computeIfAbsent(key, ignored -> new Alike()).add(port)) {
        warn(port, meeting(port, other.port()) + " port definition with " + other.port().path());
      }
    }
  }

  private static String meeting(FieldCursor port, FieldCursor other) {
    long host = port.at("hostPort").integer();
    long otherHost = other.at("hostPort").integer();
    if (host == otherHost && port.at("hostIP").text().equals(other.at("hostIP").text())) {
      return "duplicate";
    }
    return host == 0 || otherHost == 0 ? "overlapping" : "dangerously ambiguous";
  }

  private static void names(List<FieldCursor> ports) {
    var named = new HashMap<String, FieldCursor>();
    for (var port : ports) {
      var name = port.at("name").text();
      var other = name.isEmpty() ? null : named.putIfAbsent(name, port);
      if (other != null) {
        warn(
            port,
            "duplicate port name "
                + GoText.quote(name)
                + " with "
                + other.path()
                + ", services and probes that select ports by name will use "
                + other.path());
      }
    }
  }

  private static String text(FieldCursor port) {
    return "{Name:"
        + port.at("name").text()
        + " HostPort:"
        + port.at("hostPort").integer()
        + " ContainerPort:"
        + port.at("containerPort").integer()
        + " Protocol:"
        + port.at("protocol").text()
        + " HostIP:"
        + port.at("hostIP").text()
        + "}";
  }

  private static void warn(FieldCursor port, String text) {
    port.warn(port.path() + ": " + text);
  }
}
