package dev.muster.types.conversion;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Converts autoscalers of {@code autoscaling/v1}, which has only a CPU target; all other fields of
 * {@code v2} are in annotations.
 */
public final class AutoscalerV1 implements Conversion {
  private static final StructShape STORED =
      Schemas.struct("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler");
  private static final String TARGET = "targetCPUUtilizationPercentage";
  private static final String CURRENT = "currentCPUUtilizationPercentage";

  @Override
  public JsonObject toStored(JsonObject object) {
    var annotations = object.object("metadata", "annotations");
    var spec = object.object("spec");
    var metrics = new ArrayList<Json>();
    var others = metrics(annotations, AutoscalerAnnotations.METRICS, MetricForms.SPEC, "spec");
    if (others != null) {
      metrics.addAll(others.asList());
    }
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
      if (behavior != null && isReadable("spec", "behavior", behavior)) {
        spec = spec.with("behavior", behavior);
      }
    }
    var status = status(object.object("status"), annotations);
    var stored = object.with("spec", spec);
    stored = AutoscalerAnnotations.with(stored, AutoscalerAnnotations.without(annotations));
    return object.has("status") || !status.isEmpty() ? stored.with("status", status) : stored;
  }

  /** Defaults do not apply to rules from the annotation: rules without policies stay without. */
  @Override
  public JsonObject withEmpty(JsonObject stored) {
    var kept = stored;
    for (var direction : BehaviorForm.DIRECTIONS) {
      if (stored.at("spec", "behavior", direction) instanceof JsonObject rules
          && !rules.has("policies")) {
        kept = kept.withAt(JsonArray.EMPTY, "spec", "behavior", direction, "policies");
      }
    }
    return kept;
  }

  private static JsonObject status(JsonObject shown, JsonObject annotations) {
    var status = shown.without(CURRENT);
    var current =
        metrics(annotations, AutoscalerAnnotations.CURRENT_METRICS, MetricForms.STATUS, "status");
    if (current == null && shown.get(CURRENT) instanceof JsonInteger percent) {
      current = JsonArray.of(cpu("current", JsonObject.of("averageUtilization", percent)));
    }
    if (current != null && !current.isEmpty()) {
      status = status.with("currentMetrics", current);
    }
    if (parse(annotations.string(AutoscalerAnnotations.CONDITIONS)) instanceof JsonArray conditions
        && isReadable("status", "conditions", conditions)) {
      status = status.with("conditions", conditions);
    }
    return status;
  }

  /** The metrics in an annotation, or null when it contains none that are readable. */
  private static @Nullable JsonArray metrics(
      JsonObject annotations, String key, MetricForms form, String part) {
    if (!(parse(annotations.string(key)) instanceof JsonArray flat)) {
      return null;
    }
    var metrics = JsonArray.of(form.toV2(flat));
    var field = form == MetricForms.SPEC ? "metrics" : "currentMetrics";
    return isReadable(part, field, metrics) ? metrics : null;
  }

  /** Whether the value is readable; a client may have damaged the annotation. */
  private static boolean isReadable(String part, String field, Json value) {
    try {
      TypedReader.normal(STORED, JsonObject.of(part, JsonObject.of(field, value)));
      return true;
    } catch (DecodeException e) {
      return false;
    }
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

  private static @Nullable JsonInteger percentage(JsonObject metric, String field) {
    var resource = metric.object("resource");
    boolean cpu = metric.string("type").equals("Resource") && resource.string("name").equals("cpu");
    return cpu && resource.object(field).get("averageUtilization") instanceof JsonInteger percent
        ? percent
        : null;
  }

  /** The content of an annotation; null when it is damaged. */
  private static @Nullable Json parse(String text) {
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
