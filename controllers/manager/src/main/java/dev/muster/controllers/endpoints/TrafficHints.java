package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;

/**
 * Sets the zone and node hints of endpoints as the service's {@code trafficDistribution} requests.
 * The annotation for proportional hints takes precedence.
 */
enum TrafficHints {
  NONE,
  SAME_ZONE,
  SAME_NODE,

  /** Set by {@link ProportionalHints}, which needs all slices at once; no hints when it cannot. */
  PROPORTIONAL;

  private static final String MODE = "service.kubernetes.io/topology-mode";

  /** The former name of the annotation, which takes precedence if both are set. */
  private static final String FORMER_MODE = "service.kubernetes.io/topology-aware-hints";

  static TrafficHints of(JsonObject service) {
    var annotations = service.object("metadata").object("annotations");
    var mode = annotations.string(annotations.has(FORMER_MODE) ? FORMER_MODE : MODE);
    if (mode.equals("Auto") || mode.equals("auto")) {
      return PROPORTIONAL;
    }
    return switch (service.object("spec").string("trafficDistribution")) {
      case "PreferClose", "PreferSameZone" -> SAME_ZONE;
      case "PreferSameNode" -> SAME_NODE;
      default -> NONE;
    };
  }

  /** The slice with hints on all ready endpoints; the same instance if nothing changes. */
  JsonObject give(JsonObject slice) {
    var endpoints = new ArrayList<Json>();
    for (var endpoint : slice.array("endpoints").objects()) {
      endpoints.add(hinted(endpoint));
    }
    var hinted = JsonArray.of(endpoints);
    return hinted.equals(slice.array("endpoints")) ? slice : slice.with("endpoints", hinted);
  }

  private JsonObject hinted(JsonObject endpoint) {
    if (this == NONE || this == PROPORTIONAL) {
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
