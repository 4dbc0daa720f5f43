package dev.muster.types.conversion;

import dev.muster.model.json.JsonObject;

/** The annotations in which {@code autoscaling/v1} carries fields that it lacks. */
public final class AutoscalerAnnotations {
  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
  static final String METRICS = PREFIX + "metrics";
  static final String CURRENT_METRICS = PREFIX + "current-metrics";
  static final String CONDITIONS = PREFIX + "conditions";
  static final String BEHAVIOR = PREFIX + "behavior";

  private AutoscalerAnnotations() {}

  /** The autoscaler without these annotations, which have no meaning in the stored version. */
  public static JsonObject dropped(JsonObject autoscaler) {
    var annotations = autoscaler.object("metadata", "annotations");
    var kept = without(annotations);
    return kept.equals(annotations) ? autoscaler : with(autoscaler, kept);
  }

  static JsonObject without(JsonObject annotations) {
    return annotations
        .without(METRICS)
        .without(CURRENT_METRICS)
        .without(CONDITIONS)
        .without(BEHAVIOR)
        .without(PREFIX + "scale-down-tolerance")
        .without(PREFIX + "scale-up-tolerance");
  }

  static JsonObject with(JsonObject object, JsonObject annotations) {
    var metadata = object.object("metadata");
    return object.with(
        "metadata",
        annotations.isEmpty()
            ? metadata.without("annotations")
            : metadata.with("annotations", annotations));
  }
}
