package dev.muster.controllers.services;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;

/** Relates ServiceCIDRs to the allocated addresses of Services. */
final class ServiceRanges {
  static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
  static final String ALLOCATOR = "ipallocator.k8s.io";

  private ServiceRanges() {}

  /** Whether every Service address is also in another range. */
  static boolean canGo(
      JsonObject range, Collection<JsonObject> ranges, Collection<JsonObject> addresses) {
    var others = ranges.stream().filter(one -> !name(one).equals(name(range))).toList();
    boolean covered =
        cidrs(range).stream()
            .allMatch(
                cidr ->
                    others.stream()
                        .flatMap(other -> cidrs(other).stream())
                        .anyMatch(other -> other.contains(cidr)));
    return covered
        || addresses.stream()
            .filter(address -> isOfService(address) && contains(range, name(address)))
            .allMatch(address -> others.stream().anyMatch(other -> contains(other, name(address))));
  }

  static boolean isOfService(JsonObject address) {
    return address.object("metadata").object("labels").string(MANAGED_BY).equals(ALLOCATOR);
  }

  static boolean contains(JsonObject range, String address) {
    Ip parsed;
    try {
      parsed = Ip.parse(address);
    } catch (IllegalArgumentException e) {
      return false;
    }
    return cidrs(range).stream().anyMatch(cidr -> cidr.contains(parsed));
  }

  private static List<Cidr> cidrs(JsonObject range) {
    return range.object("spec").array("cidrs").strings().stream().map(Cidr::parse).toList();
  }

  static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }
}
