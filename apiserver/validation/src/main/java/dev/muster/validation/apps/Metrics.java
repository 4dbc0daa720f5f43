package dev.muster.validation.apps;

import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Resources;
import dev.muster.validation.ValueChecks;
import java.util.List;
import java.util.Map;

/** Validates the metrics and the scaling behavior of an autoscaler. */
final class Metrics {
  private static final Map<String, String> FIELDS =
      Map.of(
          "Object", "object",
          "Pods", "pods",
          "Resource", "resource",
          "External", "external",
          "ContainerResource", "containerResource");
  private static final List<String> TYPES =
      List.of("ContainerResource", "External", "Object", "Pods", "Resource");
  private static final List<String> SOURCES =
      List.of("object", "external", "pods", "resource", "containerResource");
  private static final String EITHER = "must set either a target raw value or a target utilization";
  private static final String NOT_BOTH =
      "may not set both a target raw value and a target utilization";

  private Metrics() {}

  static void check(FieldCursor metrics, boolean toZero) {
    boolean anyVersion = hadOtherVersions(metrics.before());
    metrics.items().forEach(metric -> metric(metric, anyVersion));
    boolean outside =
        metrics.array().objects().stream()
            .anyMatch(metric -> List.of("Object", "External").contains(metric.string("type")));
    if (toZero && !outside) {
      metrics.forbidden(
          "must specify at least one Object or External metric to support scaling to zero"
              + " replicas");
    }
  }

  /** Whether the stored metrics refer to objects with an invalid apiVersion. */
  private static boolean hadOtherVersions(FieldCursor metrics) {
    return metrics.array().objects().stream()
        .filter(metric -> metric.string("type").equals("Object") && metric.has("object"))
        .map(metric -> metric.object("object", "describedObject").string("apiVersion"))
        .anyMatch(version -> !AutoscalerRules.versionProblem(version, true).isEmpty());
  }

  private static void metric(FieldCursor metric, boolean anyVersion) {
    var type = metric.at("type");
    if (type.isEmpty()) {
      type.required("must specify a metric source type");
    }
    if (!TYPES.contains(type.text())) {
      type.notSupported(TYPES);
    }
    int found = 0;
    for (var source : SOURCES) {
      if (metric.has(source) && found++ == 0) {
        source(metric.at(source), source, anyVersion);
      }
    }
    var expected = FIELDS.get(type.text());
    if (expected == null) {
      type.notSupported(TYPES);
    } else if (!metric.has(expected)) {
      metric.at(expected).required("must populate information for the given metric source");
    }
    if (found != 1) {
      for (var source : SOURCES) {
        if (metric.has(source) && !source.equals(expected)) {
          metric.at(source).forbidden("must populate the given metric source only");
        }
      }
    }
  }

  private static void source(FieldCursor source, String kind, boolean anyVersion) {
    var target = source.at("target");
    switch (kind) {
      case "object" -> {
        AutoscalerRules.reference(source.at("describedObject"), anyVersion, true);
        identifier(source.at("metric"));
        target(target);
        if (!target.has("value") && !target.has("averageValue")) {
          target.at("averageValue").required("must set either a target value or averageValue");
        }
      }
      case "external" -> {
        identifier(source.at("metric"));
        target(target);
        if (!target.has("value") && !target.has("averageValue")) {
          target
              .at("averageValue")
              .required("must set either a target value for metric or a per-pod target");
        }
        if (target.has("value") && target.has("averageValue")) {
          target
              .at("value")
              .forbidden("may not set both a target value for metric and a per-pod target");
        }
      }
      case "pods" -> {
        identifier(source.at("metric"));
        target(target);
        if (!target.has("averageValue")) {
          target.at("averageValue").required("must specify a positive target averageValue");
        }
      }
      default -> resource(source, target, kind.equals("containerResource"));
    }
  }

  private static void resource(FieldCursor source, FieldCursor target, boolean container) {
    var name = source.at("name");
    if (name.isEmpty()) {
      name.required("must specify a resource name");
    } else if (container) {
      Resources.containerName(name, name.text());
    }
    if (container) {
      var of = source.at("container");
      if (of.isEmpty()) {
        of.required("must specify a container");
      } else {
        of.invalidEach(Names.dnsLabel(of.text()));
      }
    }
    target(target);
    if (!target.has("averageUtilization") && !target.has("averageValue")) {
      target.at("averageUtilization").required(EITHER);
    }
    if (target.has("averageUtilization") && target.has("averageValue")) {
      target.at("averageValue").forbidden(NOT_BOTH);
    }
  }

  private static void identifier(FieldCursor metric) {
    var name = metric.at("name");
    if (name.isEmpty()) {
      name.required("must specify a metric name");
    } else {
      name.invalidEach(Names.pathSegment(name.text()));
    }
  }

  private static void target(FieldCursor target) {
    var type = target.at("type");
    if (type.isEmpty()) {
      type.required("must specify a metric target type");
    }
    if (!List.of("Utilization", "Value", "AverageValue").contains(type.text())) {
      type.invalid("must be either Utilization, Value, or AverageValue");
    }
    for (var field : List.of("value", "averageValue")) {
      if (target.has(field) && Resources.amount(target.at(field)).signum() != 1) {
        target.at(field).invalid("must be positive");
      }
    }
    if (target.has("averageUtilization") && target.at("averageUtilization").integer() < 1) {
      target.at("averageUtilization").invalid("must be greater than 0");
    }
  }

  static void scaling(FieldCursor rules) {
    if (rules.isAbsent()) {
      return;
    }
    var window = rules.at("stabilizationWindowSeconds");
    if (window.integer() < 0) {
      window.invalid("must be greater than or equal to zero");
    }
    if (window.integer() > 3600) {
      window.invalid("must be less than or equal to 3600");
    }
    ValueChecks.optionalChoice(rules.at("selectPolicy"), "Disabled", "Max", "Min");
    var policies = rules.at("policies");
    if (policies.isEmpty()) {
      policies.required("must specify at least one Policy");
    }
    for (var policy : policies.items()) {
      if (!List.of("Percent", "Pods").contains(policy.at("type").text())) {
        policy.at("type").notSupported(List.of("Percent", "Pods"));
      }
      ValueChecks.positive(policy.at("value"));
      var period = policy.at("periodSeconds");
      ValueChecks.positive(period);
      if (period.integer() > 1800) {
        period.invalid("must be less than or equal to 1800");
      }
    }
    if (rules.has("tolerance") && Resources.amount(rules.at("tolerance")).signum() < 0) {
      var tolerance = rules.at("tolerance");
      tolerance.invalid(
          Json.of(Resources.amount(tolerance).toString()), "must be greater than or equal to 0");
    }
  }
}
