package dev.muster.controllers.endpoints;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Each zone's share of all processors, from the ready Nodes that run workloads. Immutable.
 *
 * @param byZone empty when Nodes lack data or are all in one zone
 */
record ZoneShares(SortedMap<String, Double> byZone) {
  static final ZoneShares UNKNOWN = new ZoneShares(new TreeMap<>());

  /** The tolerated excess of an endpoint's traffic over its share. */
  private static final double OVERLOAD = 0.2;

  private static final List<String> CONTROL_PLANE =
      List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

  /**
   * The number of endpoints for a zone.
   *
   * @param least with fewer, its endpoints would be overloaded
   * @param most with more, another zone would have too few
   * @param wanted its share, not rounded
   */
  record Allocation(int least, int most, double wanted) {}

  ZoneShares {
    byZone = Collections.unmodifiableSortedMap(new TreeMap<>(byZone));
  }

  static ZoneShares of(Collection<JsonObject> nodes) {
    var processors = new TreeMap<String, Long>();
    long all = 0;
    for (var node : nodes) {
      var labels = node.object("metadata").object("labels");
      if (!isReady(node) || CONTROL_PLANE.stream().anyMatch(labels::has)) {
        continue;
      }
      var zone = zone(node);
      long own = milliProcessors(node);
      if (zone.isEmpty() || own == 0) {
        return UNKNOWN;
      }
      processors.merge(zone, own, Long::sum);
      all += own;
    }
    if (processors.size() < 2) {
      return UNKNOWN;
    }
    var shares = new TreeMap<String, Double>();
    for (var zone : processors.entrySet()) {
      shares.put(zone.getKey(), (double) zone.getValue() / all);
    }
    return new ZoneShares(shares);
  }

  static String zone(JsonObject node) {
    return node.object("metadata").object("labels").string("topology.kubernetes.io/zone");
  }

  static boolean isReady(JsonObject node) {
    return node.object("status").array("conditions").objects().stream()
        .anyMatch(
            condition ->
                condition.string("type").equals("Ready")
                    && condition.string("status").equals("True"));
  }

  private static long milliProcessors(JsonObject node) {
    if (node.object("status", "allocatable").get("cpu") instanceof JsonString text) {
      try {
        return Quantity.parse(text.value()).milliValue();
      } catch (IllegalArgumentException e) {
        return 0;
      }
    }
    return 0;
  }

  /** Why this number of endpoints cannot be divided; "" when it can. */
  String problem(int endpoints) {
    if (byZone.isEmpty()) {
      return "Insufficient Node information: allocatable CPU or zone not specified on one or more"
          + " nodes";
    }
    var counts = " (%d endpoints, %d zones)".formatted(endpoints, byZone.size());
    if (byZone.size() > endpoints) {
      return "Insufficient number of endpoints" + counts;
    }
    return total(endpoints) > endpoints
        ? "Unable to allocate minimum required endpoints to each zone without exceeding overload"
            + " threshold"
            + counts
        : "";
  }

  private int total(int endpoints) {
    return byZone.values().stream().mapToInt(share -> least(share, endpoints)).sum();
  }

  private static int least(double share, int endpoints) {
    return (int) Math.ceil(share * endpoints * (1 / (1 + OVERLOAD)));
  }

  /** The allocation of each zone; call it only if {@link #problem} returns "". */
  SortedMap<String, Allocation> allocations(int endpoints) {
    int spare = endpoints - total(endpoints);
    var allocations = new TreeMap<String, Allocation>();
    byZone.forEach(
        (zone, share) -> {
          int least = least(share, endpoints);
          allocations.put(
              zone, new Allocation(least, least + spare, Math.max(share * endpoints, least)));
        });
    return allocations;
  }
}
