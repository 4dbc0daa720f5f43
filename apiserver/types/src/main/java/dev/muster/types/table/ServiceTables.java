package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.UNSET;
import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.SortedSet;
import java.util.TreeSet;

/** The tables of Services, Endpoints and related resources. */
public final class ServiceTables {
  private static final int SHOWN = 3;

  public static final TableSpec SERVICE =
      TableSpec.of(
          Cells.name(),
          text("Type", "How the service is offered.", path("spec", "type")),
          text("Cluster-IP", "First address inside of the cluster.", ServiceTables::clusterIp),
          text("External-IP", "Addresses outside of the cluster.", ServiceTables::externalIp),
          text("Port(s)", "Ports, with node ports after a colon.", ServiceTables::ports),
          Cells.age(),
          text(
                  "Selector",
                  "Labels of the pods behind the service.",
                  service -> Cells.labels(service.object("spec", "selector")))
              .wide());

  public static final TableSpec ENDPOINTS =
      TableSpec.of(
          Cells.name(),
          text("Endpoints", "Addresses and ports, at most three.", ServiceTables::endpoints),
          Cells.age());

  public static final TableSpec ENDPOINT_SLICE =
      TableSpec.of(
          Cells.name(),
          text("AddressType", "Kind of the addresses.", path("addressType")),
          text("Ports", "Ports, at most three.", ServiceTables::slicePorts),
          text("Endpoints", "Addresses, at most three.", ServiceTables::sliceAddresses),
          Cells.age());

  private ServiceTables() {}

  private static String clusterIp(JsonObject service) {
    var ips = service.object("spec").array("clusterIPs").strings();
    return ips.isEmpty() ? NONE : ips.getFirst();
  }

  private static String externalIp(JsonObject service) {
    var spec = service.object("spec");
    var external = spec.array("externalIPs").strings();
    return switch (spec.string("type")) {
      case "ClusterIP", "NodePort" -> orElse(String.join(",", external), NONE);
      case "LoadBalancer" -> {
        var all = new ArrayList<>(loadBalancers(service));
        all.addAll(external);
        yield orElse(String.join(",", all), "<pending>");
      }
      case "ExternalName" -> spec.string("externalName");
      default -> "<unknown>";
    };
  }

  /** The addresses or names in {@code status.loadBalancer}, sorted. */
  static SortedSet<String> loadBalancers(JsonObject object) {
    var found = new TreeSet<String>();
    for (var ingress : object.object("status", "loadBalancer").array("ingress").objects()) {
      found.add(orElse(ingress.string("ip"), ingress.string("hostname")));
    }
    found.remove("");
    return found;
  }

  private static String ports(JsonObject service) {
    var texts = new ArrayList<String>();
    for (var port : service.object("spec").array("ports").objects()) {
      long node = port.integer("nodePort", 0);
      texts.add(
          port.integer("port", 0) + (node > 0 ? ":" + node : "") + "/" + port.string("protocol"));
    }
    return orElse(String.join(",", texts), NONE);
  }

  private static String endpoints(JsonObject endpoints) {
    var subsets = endpoints.array("subsets").objects();
    if (subsets.isEmpty()) {
      return NONE;
    }
    var texts = new ArrayList<String>();
    for (var subset : subsets) {
      var ports = subset.array("ports").objects();
      var addresses = subset.array("addresses").objects();
      if (ports.isEmpty()) {
        addresses.forEach(address -> texts.add(address.string("ip")));
      }
      for (var port : ports) {
        for (var address : addresses) {
          var ip = address.string("ip");
          texts.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port.integer("port", 0));
        }
      }
    }
    return Cells.some(texts, SHOWN, ",");
  }

  private static String slicePorts(JsonObject slice) {
    var texts = new ArrayList<String>();
    for (var port : slice.array("ports").objects()) {
      if (port.get("port") instanceof JsonInteger number) {
        texts.add(number.toString());
      } else {
        texts.add(port.has("name") ? port.string("name") : "*");
      }
    }
    return orElse(Cells.some(texts, SHOWN, ","), UNSET);
  }

  private static String sliceAddresses(JsonObject slice) {
    var texts = new ArrayList<String>();
    for (var endpoint : slice.array("endpoints").objects()) {
      texts.addAll(endpoint.array("addresses").strings());
    }
    return orElse(Cells.some(texts, SHOWN, ","), UNSET);
  }
}
