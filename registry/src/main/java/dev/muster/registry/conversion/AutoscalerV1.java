package dev.muster.registry.conversion;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonInteger;
import dev.muster.model.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * {@code autoscaling/v1} knows one metric, the CPU; everything else that {@code v2} knows travels
 * in annotations.
 */
final class AutoscalerV1 implements Conversion {
  private static final String TARGET = "targetCPUUtilizationPercentage";
  private static final String CURRENT = "currentCPUUtilizationPercentage";

  @Override
  public JsonObject toStored(JsonObject object) {
    var annotations = object.object("metadata", "annotations");
    var spec = object.object("spec");
    var metrics =
        new ArrayList<>(MetricForms.SPEC.toV2(parsed(annotations, AutoscalerAnnotations.METRICS)));
    if (spec.get(TARGET) instanceof JsonInteger percent) {
      metrics.add(
          cpu("target", JsonObject.of("type", "Utilization", "averageUtilization", percent)));
    }
    spec = spec.without(TARGET);
    if (!metrics.isEmpty()) {
      spec = spec.with("metrics", JsonArray.of(metrics));
    }
    if (parse(annotations.string(AutoscalerAnnotations.BEHAVIOR)) instanceof JsonObject written) {
      var behavior = BehaviorForm.toV2(written);
      spec = behavior == null ? spec : spec.with("behavior", behavior);
    }
    var status = object.object("status");
    var current =
        new ArrayList<>(
            MetricForms.STATUS.toV2(parsed(annotations, AutoscalerAnnotations.CURRENT_METRICS)));
    boolean annotated =
        parse(annotations.string(AutoscalerAnnotations.CURRENT_METRICS)) instanceof JsonArray;
    if (!annotated && status.get(CURRENT) instanceof JsonInteger percent) {
      current.add(cpu("current", JsonObject.of("averageUtilization", percent)));
    }
    status = status.without(CURRENT);
    if (!current.isEmpty()) {
      status = status.with("currentMetrics", JsonArray.of(current));
    }
    if (parse(annotations.string(AutoscalerAnnotations.CONDITIONS))
        instanceof JsonArray conditions) {
      status = status.with("conditions", conditions);
    }
    var stored = object.with("spec", spec);
    stored = AutoscalerAnnotations.with(stored, AutoscalerAnnotations.without(annotations));
    return object.has("status") || !status.isEmpty() ? stored.with("status", status) : stored;
  }

  @Override
  public JsonObject fromStored(JsonObject stored) {
    var spec = stored.object("spec");
    var status = stored.object("status");
    var annotations = AutoscalerAnnotations.without(stored.object("metadata", "annotations"));
    var others = new ArrayList<Json>();
    for (var metric : spec.array("metrics").objects()) {
      var percent = percentage(metric, "target");
      if (percent != null) {
        spec = spec.has(TARGET) ? spec : spec.with(TARGET, percent);
      } else {
        others.add(metric);
      }
    }
    for (var metric : status.array("currentMetrics").objects()) {
      var percent = percentage(metric, "current");
      if (percent != null) {
        status = status.with(CURRENT, percent);
      }
    }
    annotations =
        with(
            annotations,
            AutoscalerAnnotations.METRICS,
            JsonArray.of(MetricForms.SPEC.toV1(others)));
    annotations =
        with(
            annotations,
            AutoscalerAnnotations.CURRENT_METRICS,
            JsonArray.of(MetricForms.STATUS.toV1(status.array("currentMetrics").asList())));
    annotations = with(annotations, AutoscalerAnnotations.CONDITIONS, status.array("conditions"));
    if (spec.get("behavior") instanceof JsonObject behavior) {
      annotations =
          annotations.with(AutoscalerAnnotations.BEHAVIOR, text(BehaviorForm.toV1(behavior)));
    }
    return AutoscalerAnnotations.with(stored, annotations)
        .with("spec", spec.without("metrics").without("behavior"))
        .with("status", status.without("currentMetrics").without("conditions"));
  }

  private static JsonObject cpu(String field, JsonObject value) {
    return JsonObject.of(
        "type", "Resource", "resource", JsonObject.of("name", "cpu", field, value));
  }

  private static @org.jspecify.annotations.Nullable JsonInteger percentage(
      JsonObject metric, String field) {
    var resource = metric.object("resource");
    boolean cpu = metric.string("type").equals("Resource") && resource.string("name").equals("cpu");
    return cpu && resource.object(field).get("averageUtilization") instanceof JsonInteger percent
        ? percent
        : null;
  }

  private static JsonArray parsed(JsonObject annotations, String key) {
    return parse(annotations.string(key)) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** What an annotation holds; one that a client broke holds nothing. */
  private static @org.jspecify.annotations.Nullable Json parse(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      return null;
    }
  }

  private static JsonObject with(JsonObject annotations, String key, JsonArray values) {
    return values.isEmpty() ? annotations : annotations.with(key, text(values));
  }

  private static String text(Json value) {
    return new String(JsonWriter.bytes(value), StandardCharsets.UTF_8);
  }
}
