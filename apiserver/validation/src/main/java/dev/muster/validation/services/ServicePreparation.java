package dev.muster.validation.services;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prepares Services: keeps allocated values that an update omits, and drops values that the new
 * type does not need. Runs before cluster IPs and node ports are allocated.
 */
final class ServicePreparation {
  private ServicePreparation() {}

  static JsonObject forCreate(JsonObject service) {
    var spec = service.object("spec");
    var ip = spec.string("clusterIP");
    if (!ip.isEmpty() && spec.array("clusterIPs").isEmpty()) {
      spec = spec.with("clusterIPs", JsonArray.of(Json.of(ip)));
    }
    return service.with("spec", named(spec)).with("status", emptyStatus());
  }

  static JsonObject forUpdate(JsonObject service, JsonObject old) {
    var before = old.object("spec");
    var spec = keptAllocations(service.object("spec"), before);
    spec = named(dropped(matchedAddresses(spec, before), before));
    var prepared = service.with("spec", spec).with("status", old.object("status"));
    return spec.string("type").equals("LoadBalancer")
        ? prepared
        : prepared.withAt(JsonObject.EMPTY, "status", "loadBalancer");
  }

  private static JsonObject emptyStatus() {
    return JsonObject.of("loadBalancer", JsonObject.EMPTY);
  }

  /** Drops the internal traffic policy of an ExternalName Service, unless its value is invalid. */
  private static JsonObject named(JsonObject spec) {
    return switch (spec.string("internalTrafficPolicy")) {
      case "Cluster", "Local" -> hasAddress(spec) ? spec : spec.without("internalTrafficPolicy");
      default -> spec;
    };
  }

  private static boolean hasAddress(JsonObject spec) {
    return !spec.string("type").equals("ExternalName");
  }

  private static boolean hasNodePorts(JsonObject spec) {
    return spec.string("type").equals("NodePort") || isLoadBalancer(spec);
  }

  /** Whether the Service gets node ports that it does not request. */
  private static boolean getsNodePorts(JsonObject spec) {
    return hasNodePorts(spec)
        && !(isLoadBalancer(spec) && spec.get("allocateLoadBalancerNodePorts") == JsonBool.FALSE);
  }

  private static boolean isLoadBalancer(JsonObject spec) {
    return spec.string("type").equals("LoadBalancer");
  }

  /** An update that omits allocated values keeps them. */
  private static JsonObject keptAllocations(JsonObject spec, JsonObject old) {
    var kept = spec;
    if (hasAddress(old) && hasAddress(spec)) {
      if (spec.string("clusterIP").isEmpty() && old.has("clusterIP")) {
        kept = kept.with("clusterIP", old.string("clusterIP"));
      }
      if (spec.array("clusterIPs").isEmpty() && !old.array("clusterIPs").isEmpty()) {
        kept = kept.with("clusterIPs", old.array("clusterIPs"));
      }
    }
    if (getsNodePorts(old) && getsNodePorts(spec)) {
      kept = keptNodePorts(kept, old);
    }
    if (ServiceRules.needsHealthCheck(old)
        && ServiceRules.needsHealthCheck(spec)
        && spec.integer("healthCheckNodePort", 0) == 0
        && old.has("healthCheckNodePort")) {
      kept = kept.with("healthCheckNodePort", old.integer("healthCheckNodePort", 0));
    }
    return kept;
  }

  private static JsonObject keptNodePorts(JsonObject spec, JsonObject old) {
    var used = nodePorts(old);
    used.retainAll(nodePorts(spec));
    var byName = new HashMap<String, Long>();
    for (var port : old.array("ports").objects()) {
      byName.put(port.string("name"), port.integer("nodePort", 0));
    }
    var ports =
        spec.array("ports")
            .map(
                item -> {
                  if (!(item instanceof JsonObject port) || port.integer("nodePort", 0) != 0) {
                    return item;
                  }
                  long before = byName.getOrDefault(port.string("name"), 0L);
                  return before == 0 || used.contains(before)
                      ? item
                      : port.with("nodePort", before);
                });
    return spec.has("ports") ? spec.with("ports", ports) : spec;
  }

  private static Set<Long> nodePorts(JsonObject spec) {
    var found = new HashSet<Long>();
    for (var port : spec.array("ports").objects()) {
      if (port.integer("nodePort", 0) != 0) {
        found.add(port.integer("nodePort", 0));
      }
    }
    return found;
  }

  /**
   * A changed {@code clusterIP} also changes {@code clusterIPs}, unless the client changed both.
   */
  private static JsonObject matchedAddresses(JsonObject spec, JsonObject old) {
    var ip = spec.string("clusterIP");
    var before = old.string("clusterIP");
    if (ip.equals(before) && spec.array("clusterIPs").isEmpty() && old.has("clusterIPs")) {
      return spec.with("clusterIPs", old.array("clusterIPs"));
    }
    if (ip.equals(before) || !spec.array("clusterIPs").equals(old.array("clusterIPs"))) {
      return spec;
    }
    return ip.isEmpty()
        ? spec.without("clusterIPs")
        : spec.with("clusterIPs", JsonArray.of(Json.of(ip)));
  }

  /**
   * Drops values that the old type needed and the new one does not, unless the client changed them.
   */
  private static JsonObject dropped(JsonObject spec, JsonObject old) {
    var kept = spec;
    if (hasAddress(old) && !hasAddress(spec)) {
      if (same(spec, old, "clusterIP") && same(spec, old, "clusterIPs")) {
        kept = kept.without("clusterIP").without("clusterIPs");
      }
      for (var field : List.of("ipFamilies", "ipFamilyPolicy")) {
        kept = same(spec, old, field) ? kept.without(field) : kept;
      }
    }
    if (hasNodePorts(old) && !hasNodePorts(spec) && nodePorts(old).containsAll(nodePorts(spec))) {
      kept =
          kept.has("ports")
              ? kept.with(
                  "ports",
                  kept.array("ports")
                      .map(
                          item ->
                              item instanceof JsonObject port ? port.without("nodePort") : item))
              : kept;
    }
    if (ServiceRules.needsHealthCheck(old)
        && !ServiceRules.needsHealthCheck(spec)
        && same(spec, old, "healthCheckNodePort")) {
      kept = kept.without("healthCheckNodePort");
    }
    if (isLoadBalancer(old) && !isLoadBalancer(spec)) {
      for (var field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
        kept = same(spec, old, field) ? kept.without(field) : kept;
      }
    }
    if (ServiceRules.isReachedFromOutside(old)
        && !ServiceRules.isReachedFromOutside(spec)
        && same(spec, old, "externalTrafficPolicy")) {
      kept = kept.without("externalTrafficPolicy");
    }
    return kept;
  }

  private static boolean same(JsonObject spec, JsonObject old, String field) {
    var now = spec.get(field);
    return now == null ? !old.has(field) : now.equals(old.get(field));
  }
}
