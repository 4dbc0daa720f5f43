package dev.muster.registry.conversion;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Metrics as the annotations of {@code autoscaling/v1} write them: flat, with {@code targetValue},
 * {@code targetAverageValue} and {@code targetAverageUtilization} (or {@code current…}) where v2
 * has a target object.
 */
final class MetricForms {
  private MetricForms() {}

  static List<Json> toV2(JsonArray flat) {
    var metrics = new ArrayList<Json>();
    for (var metric : flat.objects()) {
      metrics.add(nested(metric));
    }
    return metrics;
  }

  static List<Json> toV1(List<? extends Json> metrics) {
    var flat = new ArrayList<Json>();
    for (var metric : metrics) {
      if (metric instanceof JsonObject object) {
        flat.add(flat(object));
      }
    }
    return flat;
  }

  private static JsonObject nested(JsonObject metric) {
    var source = source(metric);
    var old = metric.object(source);
    var nested = JsonObject.builder();
    var target = JsonObject.builder();
    var current = JsonObject.builder();
    for (int i = 0; i < old.size(); i++) {
      var value = old.value(i);
      switch (old.key(i)) {
        case "targetValue" -> target.put("type", "Value").put("value", value);
        case "targetAverageValue", "averageValue" ->
            target.put("type", "AverageValue").put("averageValue", value);
        case "targetAverageUtilization" ->
            target.put("type", "Utilization").put("averageUtilization", value);
        case "currentValue" -> current.put("value", value);
        case "currentAverageValue" -> current.put("averageValue", value);
        case "currentAverageUtilization" -> current.put("averageUtilization", value);
        case "metricName" -> nested.put("metric", named(old));
        case "metricSelector", "selector" -> {}
        case "target" -> nested.put("describedObject", value);
        default -> nested.put(old.key(i), value);
      }
    }
    if (target.size() > 0) {
      nested.put("target", target.build());
    }
    if (current.size() > 0) {
      nested.put("current", current.build());
    }
    return JsonObject.of("type", metric.string("type"), source, nested.build());
  }

  private static JsonObject named(JsonObject old) {
    var selector = old.get("metricSelector");
    if (selector == null) {
      selector = old.get("selector");
    }
    return JsonObject.builder()
        .put("name", old.string("metricName"))
        .putIf("selector", selector)
        .build();
  }

  private static JsonObject flat(JsonObject metric) {
    var source = source(metric);
    var nested = metric.object(source);
    var flat = JsonObject.builder();
    for (int i = 0; i < nested.size(); i++) {
      switch (nested.key(i)) {
        case "target" -> addValues(flat, "target", nested.object("target"), source);
        case "current" -> addValues(flat, "current", nested.object("current"), source);
        case "metric" -> {
          flat.put("metricName", nested.object("metric").string("name"));
          flat.putIf(
              source.equals("external") ? "metricSelector" : "selector",
              nested.object("metric").get("selector"));
        }
        case "describedObject" -> flat.put("target", nested.value(i));
        default -> flat.put(nested.key(i), nested.value(i));
      }
    }
    return JsonObject.of("type", metric.string("type"), source, flat.build());
  }

  private static void addValues(
      JsonObject.Builder flat, String prefix, JsonObject values, String source) {
    flat.putIf(prefix + "Value", values.get("value"));
    var averageName =
        source.equals("object") && prefix.equals("target")
            ? "averageValue"
            : prefix + "AverageValue";
    flat.putIf(averageName, values.get("averageValue"));
    flat.putIf(prefix + "AverageUtilization", values.get("averageUtilization"));
  }

  private static String source(JsonObject metric) {
    return switch (metric.string("type")) {
      case "Object" -> "object";
      case "Pods" -> "pods";
      case "ContainerResource" -> "containerResource";
      case "External" -> "external";
      default -> "resource";
    };
  }
}
