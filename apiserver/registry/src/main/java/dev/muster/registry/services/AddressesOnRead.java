package dev.muster.registry.services;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;

/**
 * Fills in {@code clusterIPs}, {@code ipFamilies} and {@code ipFamilyPolicy} of Services that were
 * stored before these fields existed. Immutable.
 */
public final class AddressesOnRead {
  private final IpFamily primary;

  /**
   * @param ranges the cluster IP ranges, the primary one first
   */
  public AddressesOnRead(List<Cidr> ranges) {
    this.primary = ranges.isEmpty() ? IpFamily.IPV4 : IpFamily.of(ranges.getFirst());
  }

  /** The Service with the missing fields. */
  public JsonObject filled(JsonObject service) {
    var spec = service.object("spec");
    var filled = spec;
    var ip = spec.string("clusterIP");
    if (!ip.isEmpty() && spec.array("clusterIPs").isEmpty()) {
      filled = filled.with("clusterIPs", JsonArray.of(Json.of(ip)));
    }
    filled =
        spec.string("type").equals("ExternalName")
            ? filled.without("internalTrafficPolicy")
            : withFamilies(filled);
    return filled == spec ? service : service.with("spec", filled);
  }

  private JsonObject withFamilies(JsonObject spec) {
    if (!spec.array("ipFamilies").isEmpty()) {
      return spec;
    }
    if (spec.string("clusterIP").equals("None")) {
      return spec.object("selector").isEmpty()
          ? with(spec, List.of(primary, primary.other()))
          : with(spec, List.of(primary));
    }
    return with(spec, spec.array("clusterIPs").strings().stream().map(IpFamily::ofText).toList());
  }

  private static JsonObject with(JsonObject spec, List<IpFamily> families) {
    if (families.isEmpty()) {
      return spec;
    }
    var names = JsonArray.of(families.stream().map(family -> Json.of(family.text())).toList());
    var filled = spec.with("ipFamilies", names);
    return families.size() > 2
        ? filled
        : filled.with("ipFamilyPolicy", families.size() == 1 ? "SingleStack" : "RequireDualStack");
  }
}
