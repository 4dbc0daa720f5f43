package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The addresses and ports of Endpoints in canonical form: ports with the same addresses share a
 * subset, and everything is sorted. Not thread-safe.
 */
final class Subsets {
  /** An address of a port and its readiness. */
  private record Behind(JsonObject address, boolean ready) {}

  private final Map<JsonObject, TreeMap<String, Behind>> ports = new LinkedHashMap<>();

  /**
   * @param port empty for none
   */
  void add(JsonObject port, JsonObject address, boolean ready) {
    var key = address.string("ip") + "/" + address.object("targetRef").string("uid");
    ports
        .computeIfAbsent(port, name -> new TreeMap<>())
        .merge(
            key,
            new Behind(address, ready),
            (one, other) -> new Behind(one.address(), one.ready() && other.ready()));
  }

  /** Parses user-written subsets. */
  static Subsets of(JsonArray subsets) {
    var all = new Subsets();
    for (var subset : subsets.objects()) {
      var ports = new ArrayList<>(subset.array("ports").objects());
      if (ports.isEmpty()) {
        ports.add(JsonObject.EMPTY);
      }
      for (var port : ports) {
        subset.array("addresses").objects().forEach(address -> all.add(port, address, true));
        subset.array("notReadyAddresses").objects().forEach(one -> all.add(port, one, false));
      }
    }
    return all;
  }

  JsonArray packed() {
    var groups = new LinkedHashMap<Map<String, Behind>, List<JsonObject>>();
    ports.forEach(
        (port, addresses) ->
            groups.computeIfAbsent(addresses, behind -> new ArrayList<>()).add(port));
    var subsets = new ArrayList<JsonObject>();
    groups.forEach((addresses, offered) -> subsets.add(subset(addresses, offered)));
    subsets.sort(Comparator.comparing(subset -> subset.array("ports").toString()));
    return JsonArray.of(subsets);
  }

  private static JsonObject subset(Map<String, Behind> addresses, List<JsonObject> ports) {
    var ready = new ArrayList<Json>();
    var notReady = new ArrayList<Json>();
    addresses.values().forEach(one -> (one.ready() ? ready : notReady).add(one.address()));
    var subset = JsonObject.builder();
    if (!ready.isEmpty()) {
      subset.put("addresses", JsonArray.of(ready));
    }
    if (!notReady.isEmpty()) {
      subset.put("notReadyAddresses", JsonArray.of(notReady));
    }
    var named =
        ports.stream()
            .filter(port -> !port.isEmpty())
            .sorted(Comparator.comparing(JsonObject::toString))
            .toList();
    if (!named.isEmpty()) {
      subset.put("ports", JsonArray.of(named));
    }
    return subset.build();
  }
}
