package dev.muster.controllers.endpoints;

import dev.muster.controllers.endpoints.ZoneShares.Allocation;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets zone hints so that ready endpoints are divided among zones in proportion to the zones'
 * processors, as the annotation {@code service.kubernetes.io/topology-mode: Auto} requests. Each
 * endpoint serves its own zone first; zones with too many endpoints give some to zones with too
 * few. Slices with acceptable hints stay unchanged. Not thread-safe.
 */
final class ProportionalHints {
  private static final String NO_ZONE = "One or more endpoints do not have a zone specified";

  private final SortedMap<String, Allocation> allocations;

  /** The number of endpoints assigned to each zone so far. */
  private final Map<String, Integer> given = new TreeMap<>();

  private ProportionalHints(SortedMap<String, Allocation> allocations) {
    this.allocations = allocations;
  }

  /**
   * Sets the hints of slices that are to be written, and of other slices whose hints are wrong.
   *
   * @param others slices that are not to be written so far
   * @return why hints are impossible, and nothing was changed; "" on success
   */
  static String give(ZoneShares shares, List<JsonObject> others, SliceChanges own) {
    int ready = ready(own.create()) + ready(own.update()) + ready(others);
    var problem = shares.problem(ready);
    if (!problem.isEmpty()) {
      return problem;
    }
    var hints = new ProportionalHints(shares.allocations(ready));
    var wrong = others.stream().filter(slice -> !hints.keeps(slice)).toList();
    var written = new ArrayList<>(own.create());
    written.addAll(own.update());
    written.addAll(wrong);
    if (written.stream().anyMatch(ProportionalHints::lacksZone)) {
      return NO_ZONE;
    }
    var zones = hints.divide(written);
    int creates = own.create().size();
    int updates = own.update().size();
    for (int i = 0; i < written.size(); i++) {
      var slice = written.get(i);
      var hinted = hinted(slice, zones.get(i));
      if (i < creates) {
        own.create().set(i, hinted);
      } else if (i < creates + updates) {
        own.update().set(i - creates, hinted);
      } else if (!hinted.equals(slice)) {
        own.update().add(hinted);
      }
    }
    return "";
  }

  private static int ready(List<JsonObject> slices) {
    int count = 0;
    for (var slice : slices) {
      for (var endpoint : slice.array("endpoints").objects()) {
        count += isReady(endpoint) ? 1 : 0;
      }
    }
    return count;
  }

  private static boolean isReady(JsonObject endpoint) {
    return endpoint.object("conditions").isTrue("ready");
  }

  private static boolean lacksZone(JsonObject slice) {
    return slice.array("endpoints").objects().stream()
        .anyMatch(endpoint -> isReady(endpoint) && endpoint.string("zone").isEmpty());
  }

  /** Whether the slice can stay as it is; its endpoints then count as assigned. */
  private boolean keeps(JsonObject slice) {
    var own = new TreeMap<String, Integer>();
    for (var endpoint : slice.array("endpoints").objects()) {
      if (isReady(endpoint)) {
        var zones = endpoint.object("hints").array("forZones").objects();
        if (zones.isEmpty()) {
          return false;
        }
        zones.forEach(zone -> own.merge(zone.string("name"), 1, Integer::sum));
      }
    }
    for (var zone : own.entrySet()) {
      var allocation = allocations.get(zone.getKey());
      int count = given.getOrDefault(zone.getKey(), 0) + zone.getValue();
      if (allocation == null || count > allocation.most()) {
        return false;
      }
    }
    own.forEach((zone, count) -> given.merge(zone, count, Integer::sum));
    return true;
  }

  /** The zone of each endpoint of each slice; null for endpoints that are not ready. */
  private List<List<@Nullable String>> divide(List<JsonObject> slices) {
    var zones = new ArrayList<List<@Nullable String>>();
    for (var slice : slices) {
      var ofSlice = new ArrayList<@Nullable String>();
      for (var endpoint : slice.array("endpoints").objects()) {
        var zone = isReady(endpoint) ? endpoint.string("zone") : null;
        ofSlice.add(zone);
        if (zone != null) {
          given.merge(zone, 1, Integer::sum);
        }
      }
      zones.add(ofSlice);
    }
    var gives = new TreeMap<String, Integer>();
    var takes = new TreeMap<String, Integer>();
    balance(gives, takes);
    for (var ofSlice : zones) {
      for (int i = 0; i < ofSlice.size() && !takes.isEmpty(); i++) {
        var zone = ofSlice.get(i);
        if (zone != null && gives.containsKey(zone)) {
          var taker = takes.firstKey();
          ofSlice.set(i, taker);
          takeOne(gives, zone);
          takeOne(takes, taker);
        }
      }
    }
    return zones;
  }

  private static void takeOne(Map<String, Integer> counts, String zone) {
    counts.computeIfPresent(zone, (_, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Computes how many endpoints each zone gives and takes. An endpoint moves from the zone with the
   * largest surplus to the one with the largest deficit, while one of the two improves by a whole
   * endpoint and the other by at least half of one.
   */
  private void balance(Map<String, Integer> gives, Map<String, Integer> takes) {
    var surplus = new TreeMap<String, Double>();
    var lack = new TreeMap<String, Double>();
    allocations.forEach(
        (zone, allocation) -> {
          double more = given.getOrDefault(zone, 0) - allocation.wanted();
          (more > 0 ? surplus : lack).put(zone, Math.abs(more));
        });
    while (!surplus.isEmpty() && !lack.isEmpty()) {
      var richest = most(surplus);
      var poorest = most(lack);
      double more = surplus.getOrDefault(richest, 0.0);
      double less = lack.getOrDefault(poorest, 0.0);
      if (more < 0.5 || less < 0.5 || (more < 1 && less < 1)) {
        return;
      }
      gives.merge(richest, 1, Integer::sum);
      takes.merge(poorest, 1, Integer::sum);
      surplus.put(richest, more - 1);
      lack.put(poorest, less - 1);
    }
  }

  /** Among equal zones, the choice does not matter. */
  private static String most(Map<String, Double> zones) {
    return zones.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static JsonObject hinted(JsonObject slice, List<@Nullable String> zones) {
    var endpoints = new ArrayList<Json>();
    var all = slice.array("endpoints").objects();
    for (int i = 0; i < all.size(); i++) {
      var zone = zones.get(i);
      endpoints.add(
          zone == null
              ? all.get(i).without("hints")
              : all.get(i)
                  .with(
                      "hints",
                      JsonObject.of("forZones", JsonArray.of(JsonObject.of("name", zone)))));
    }
    return slice.with("endpoints", JsonArray.of(endpoints));
  }
}
