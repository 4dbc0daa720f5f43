package dev.muster.registry.stored;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.validation.Default;

/** Converts Ingresses, NetworkPolicies and EndpointSlices of versions that are no longer served. */
final class LegacyNetworking {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private static final Default INGRESS =
      in(
          "spec",
          code(LegacyNetworking::defaultBackend),
          each(
              "rules",
              in(
                  "http",
                  each(
                      "paths",
                      absent("pathType", "ImplementationSpecific"),
                      in("backend", code(LegacyNetworking::backend))))));

  /** This version sets no default protocol on egress ports. */
  private static final Default POLICY =
      in(
          "spec",
          each("ingress", each("ports", absent("protocol", "TCP"))),
          computed("policyTypes", LegacyNetworking::policyTypes));

  private static final Default SLICE = each("endpoints", code(LegacyNetworking::endpoint));

  private LegacyNetworking() {}

  static JsonObject ingress(JsonObject ingress) {
    return INGRESS.apply(ingress);
  }

  static JsonObject policy(JsonObject policy) {
    return POLICY.apply(policy);
  }

  static JsonObject slice(JsonObject slice) {
    return SLICE.apply(slice);
  }

  private static Json policyTypes(JsonObject spec) {
    return spec.array("egress").isEmpty()
        ? JsonArray.of(Json.of("Ingress"))
        : JsonArray.of(Json.of("Ingress"), Json.of("Egress"));
  }

  private static JsonObject defaultBackend(JsonObject spec) {
    return spec.get("backend") instanceof JsonObject backend
        ? spec.without("backend").with("defaultBackend", backend(backend))
        : spec;
  }

  private static JsonObject backend(JsonObject backend) {
    var name = backend.string("serviceName");
    var port = backend.get("servicePort");
    var others = backend.without("serviceName").without("servicePort");
    boolean has =
        !name.isEmpty()
            || port instanceof JsonString
            || (port instanceof JsonInteger number && number.value() != 0);
    if (!has) {
      return others;
    }
    var service =
        JsonObject.of(
            "name",
            name,
            "port",
            switch (port) {
              case JsonString text -> JsonObject.of("name", text);
              case JsonInteger number -> JsonObject.of("number", number);
              case null, default -> JsonObject.EMPTY;
            });
    return others.with("service", service);
  }

  /** Moves zone and node out of the topology labels. */
  private static JsonObject endpoint(JsonObject endpoint) {
    var topology = endpoint.object("topology");
    var changed = endpoint.without("topology");
    if (topology.has(ZONE)) {
      changed = changed.with("zone", topology.string(ZONE));
      topology = topology.without(ZONE);
    }
    if (topology.has(HOSTNAME)
        && endpoint.has("nodeName")
        && topology.string(HOSTNAME).equals(endpoint.string("nodeName"))) {
      topology = topology.without(HOSTNAME);
    }
    return topology.isEmpty() ? changed : changed.with("deprecatedTopology", topology);
  }
}
