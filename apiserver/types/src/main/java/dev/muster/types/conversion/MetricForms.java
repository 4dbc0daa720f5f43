package dev.muster.types.conversion;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes metrics in annotations of {@code autoscaling/v1}: flat, with {@code
 * targetValue}, {@code targetAverageValue} and {@code targetAverageUtilization} (or {@code
 * current…}) where v2 has an object. Some quantities cannot be omitted there and are written as 0.
 */
enum MetricForms {
  SPEC("target"),
  STATUS("current");

  private static final Json ZERO = Json.of("0");
  private static final List<String> SOURCES =
      List.of("object", "pods", "resource", "containerResource", "external");

  /** The name of the object in v2, and the prefix of the flat names. */
  private final String part;

  MetricForms(String part) {
    this.part = part;
  }

  List<Json> toV2(JsonArray flat) {
    var metrics = new ArrayList<Json>();
    for (var metric : flat.objects()) {
      var nested = JsonObject.of("type", metric.string("type"));
      for (var source : SOURCES) {
        if (metric.get(source) instanceof JsonObject old) {
          nested = nested.with(source, nested(source, old));
        }
      }
      metrics.add(nested);
    }
    return metrics;
  }

  List<Json> toV1(List<? extends Json> metrics) {
    var flat = new ArrayList<Json>();
    for (var metric : metrics) {
      if (metric instanceof JsonObject object) {
        var one = JsonObject.of("type", object.string("type"));
        for (var source : SOURCES) {
          if (object.get(source) instanceof JsonObject nested) {
            one = one.with(source, flat(source, nested));
          }
        }
        flat.add(one);
      }
    }
    return flat;
  }

  private JsonObject flat(String source, JsonObject nested) {
    var values = nested.object(part);
    var value = values.get("value");
    var average = values.get("averageValue");
    var metric = nested.object("metric");
    var flat = JsonObject.builder();
    switch (source) {
      case "object" ->
          flat.put("target", reference(nested.object("describedObject")))
              .put("metricName", metric.string("name"))
              .put(part + "Value", orZero(value))
              .putIf("selector", metric.get("selector"))
              .putIf("averageValue", average);
      case "pods" ->
          flat.put("metricName", metric.string("name"))
              .put(part + "AverageValue", orZero(average))
              .putIf("selector", metric.get("selector"));
      case "external" ->
          flat.put("metricName", metric.string("name"))
              .putIf("metricSelector", metric.get("selector"))
              .putIf(part + "Value", this == STATUS ? orZero(value) : value)
              .putIf(part + "AverageValue", average);
      default ->
          flat.put("name", nested.string("name"))
              .putIf(part + "AverageUtilization", values.get("averageUtilization"))
              .putIf(part + "AverageValue", this == STATUS ? orZero(average) : average)
              .putIf("container", nested.get("container"));
    }
    return flat.build();
  }

  private static Json orZero(@Nullable Json amount) {
    return amount == null ? ZERO : amount;
  }

  private static JsonObject reference(JsonObject object) {
    return JsonObject.builder()
        .put("kind", object.string("kind"))
        .put("name", object.string("name"))
        .putIf("apiVersion", object.string("apiVersion"))
        .build();
  }

  private JsonObject nested(String source, JsonObject old) {
    var nested = JsonObject.builder();
    if (source.equals("object")) {
      nested.put("describedObject", reference(old.object("target")));
    }
    if (source.endsWith("esource")) {
      nested.putIf("name", old.get("name"));
    }
    nested.put(part, values(source, old)).putIf("container", old.get("container"));
    if (!source.endsWith("esource")) {
      nested.put("metric", named(old));
    }
    return nested.build();
  }

  private static JsonObject named(JsonObject old) {
    var selector = old.get("metricSelector");
    return JsonObject.builder()
        .put("name", old.string("metricName"))
        .putIf("selector", selector == null ? old.get("selector") : selector)
        .build();
  }

  private JsonObject values(String source, JsonObject old) {
    var value = old.get(part + "Value");
    var average = old.get(source.equals("object") ? "averageValue" : part + "AverageValue");
    var utilization = old.get(part + "AverageUtilization");
    if (this == STATUS) {
      boolean raw = source.equals("object") || source.equals("external");
      return JsonObject.builder()
          .putIf("value", raw ? orZero(value) : null)
          .putIf("averageValue", raw ? average : orZero(average))
          .putIf("averageUtilization", utilization)
          .build();
    }
    return switch (source) {
      case "object" ->
          target(average == null ? "Value" : "AverageValue")
              .putIf("value", average == null ? orZero(value) : withoutZero(value))
              .putIf("averageValue", average)
              .build();
      case "pods" -> target("AverageValue").put("averageValue", orZero(average)).build();
      case "external" ->
          target(value == null ? "AverageValue" : "Value")
              .putIf("value", value)
              .putIf("averageValue", average)
              .build();
      default ->
          target(utilization == null ? "AverageValue" : "Utilization")
              .putIf("averageValue", average)
              .putIf("averageUtilization", utilization)
              .build();
    };
  }

  private static @Nullable Json withoutZero(@Nullable Json amount) {
    return amount == null || amount.equals(ZERO) ? null : amount;
  }

  private static JsonObject.Builder target(String type) {
    return JsonObject.builder().put("type", type);
  }
}
