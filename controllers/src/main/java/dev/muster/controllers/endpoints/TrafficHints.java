package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;

/**
 * Which zones and nodes an endpoint should get its traffic from, as the service's {@code
 * trafficDistribution} asks for.
 */
enum TrafficHints {
  NONE,
  SAME_ZONE,
  SAME_NODE;

  static TrafficHints of(JsonObject service) {
    return switch (service.object("spec").string("trafficDistribution")) {
      case "PreferClose", "PreferSameZone" -> SAME_ZONE;
      case "PreferSameNode" -> SAME_NODE;
      default -> NONE;
    };
  }

  /** The slice with hints on all endpoints that are ready; the same if nothing changes. */
  JsonObject give(JsonObject slice) {
    var endpoints = new ArrayList<Json>();
    for (var endpoint : slice.array("endpoints").objects()) {
      endpoints.add(hinted(endpoint));
    }
    var hinted = JsonArray.of(endpoints);
    return hinted.equals(slice.array("endpoints")) ? slice : slice.with("endpoints", hinted);
  }

  private JsonObject hinted(JsonObject endpoint) {
    if (this == NONE) {
      return endpoint.without("hints");
    }
    if (!endpoint.object("conditions").isTrue("ready")) {
      return endpoint;
    }
    var zone = endpoint.string("zone");
    var node = this == SAME_NODE ? endpoint.string("nodeName") : "";
    var hints = JsonObject.builder();
    if (!zone.isEmpty()) {
      hints.put("forZones", JsonArray.of(JsonObject.of("name", zone)));
    }
    if (!node.isEmpty()) {
      hints.put("forNodes", JsonArray.of(JsonObject.of("name", node)));
    }
    return hints.size() == 0 ? endpoint.without("hints") : endpoint.with("hints", hints.build());
  }
}
