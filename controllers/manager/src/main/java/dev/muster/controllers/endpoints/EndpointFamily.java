package dev.muster.controllers.endpoints;

import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonObject;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The address families, with their names in EndpointSlices. */
enum EndpointFamily {
  IPV4("IPv4"),
  IPV6("IPv6");

  private final String type;

  EndpointFamily(String type) {
    this.type = type;
  }

  String type() {
    return type;
  }

  /** The family of an address, or null for an invalid one. */
  static @Nullable EndpointFamily of(String address) {
    try {
      return Ip.parse(address).isSix() ? IPV6 : IPV4;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The canonical text of an address. */
  static String canonical(String address) {
    return Ip.parse(address).toString();
  }

  /** The primary family of a service. */
  static EndpointFamily first(JsonObject service) {
    var spec = service.object("spec");
    var families = spec.array("ipFamilies").strings();
    if (!families.isEmpty()) {
      return families.getFirst().equals(IPV6.type) ? IPV6 : IPV4;
    }
    return of(spec.string("clusterIP")) == IPV6 ? IPV6 : IPV4;
  }

  /** The families of a service; one without {@code ipFamilies} has the family of its cluster IP. */
  static Set<EndpointFamily> of(JsonObject service) {
    var spec = service.object("spec");
    var families = EnumSet.noneOf(EndpointFamily.class);
    for (var name : spec.array("ipFamilies").strings()) {
      for (var family : values()) {
        if (family.type.equals(name)) {
          families.add(family);
        }
      }
    }
    if (families.isEmpty()) {
      var family = of(spec.string("clusterIP"));
      if (family == null) {
        return EnumSet.allOf(EndpointFamily.class);
      }
      families.add(family);
    }
    return families;
  }
}
