package dev.muster.controllers.endpoints;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;

/**
 * Which zones and nodes an endpoint should get its traffic from, as the service's {@code
 * trafficDistribution} asks for. An annotation that asks for endpoints in proportion to processors
 * comes first.
 */
enum TrafficHints {
  NONE,
  SAME_ZONE,
  SAME_NODE,

  /** By {@link ProportionalHints}, which looks at all slices at once; none when it cannot. */
  PROPORTIONAL;

  private static final String MODE = "service.kubernetes.io/topology-mode";

  /** Its former name, which counts where both are there. */
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
