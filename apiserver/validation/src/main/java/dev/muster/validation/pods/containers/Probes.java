package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import java.util.List;

/** Validates probes and lifecycle hooks of containers. */
final class Probes {
  private Probes() {}

  static void check(FieldCursor container, FieldCursor spec) {
    var lifecycle = container.at("lifecycle");
    for (var name : List.of("postStart", "preStop")) {
      if (lifecycle.has(name)) {
        handler(lifecycle.at(name), spec, true);
      }
    }
    liveness(container.at("livenessProbe"), spec);
    var readiness = container.at("readinessProbe");
    probe(readiness, spec);
    if (readiness.has("terminationGracePeriodSeconds")) {
      readiness.at("terminationGracePeriodSeconds").invalid("must not be set for readinessProbes");
    }
    liveness(container.at("startupProbe"), spec);
  }

  private static void liveness(FieldCursor probe, FieldCursor spec) {
    probe(probe, spec);
    if (probe.isPresent() && probe.at("successThreshold").integer() != 1) {
      ValueChecks.invalidNumber(probe.at("successThreshold"), "must be 1");
    }
  }

  private static void probe(FieldCursor probe, FieldCursor spec) {
    if (probe.isAbsent()) {
      return;
    }
    handler(probe, spec, false);
    ValueChecks.nonNegative(
        probe,
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold");
    var grace = probe.at("terminationGracePeriodSeconds");
    if (grace.isPresent() && grace.integer() <= 0) {
      grace.invalid("must be greater than 0");
    }
  }

  private static void handler(FieldCursor handler, FieldCursor spec, boolean lifecycle) {
    int found = 0;
    for (var kind : List.of("exec", "httpGet", "tcpSocket", lifecycle ? "sleep" : "grpc")) {
      var action = handler.at(kind);
      if (action.isAbsent()) {
        continue;
      }
      if (found++ > 0) {
        action.forbidden("may not specify more than 1 handler type");
        continue;
      }
      switch (kind) {
        case "exec" -> {
          if (action.at("command").isEmpty()) {
            action.at("command").required("");
          }
        }
        case "httpGet" -> httpGet(action);
        case "sleep" -> sleep(action, spec.at("terminationGracePeriodSeconds"));
        default -> ValueChecks.portOrName(action.at("port"));
      }
    }
    if (found == 0) {
      handler.required("must specify a handler type");
    }
  }

  private static void httpGet(FieldCursor action) {
    if (action.at("path").isEmpty()) {
      action.at("path").required("");
    }
    ValueChecks.portOrName(action.at("port"));
    if (!List.of("HTTP", "HTTPS").contains(action.at("scheme").text())) {
      action.at("scheme").notSupported(List.of("HTTP", "HTTPS"));
    }
    var headers = action.at("httpHeaders");
    for (var header : headers.array().objects()) {
      for (var problem : Names.httpHeader(header.string("name"))) {
        headers.invalid(Json.of(header.string("name")), problem);
      }
    }
  }

  private static void sleep(FieldCursor sleep, FieldCursor grace) {
    long seconds = sleep.at("seconds").integer();
    if (grace.isPresent() && (seconds < 0 || seconds > grace.integer())) {
      sleep.invalid(
          Json.of(seconds),
          "must be non-negative and less than terminationGracePeriodSeconds ("
              + grace.integer()
              + ")");
    }
  }
}
