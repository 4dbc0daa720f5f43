package dev.muster.registry.conversion;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.TypedReader;
import dev.muster.wire.DecodeException;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The conversions of all types that are served in a version other than the stored one. */
public final class Conversions {
  private static final Map<GroupVersionKind, Conversion> KNOWN =
      Map.of(
          new GroupVersionKind("autoscaling", "v1", "HorizontalPodAutoscaler"),
          new AutoscalerV1(),
          new GroupVersionKind("events.k8s.io", "v1", "Event"),
          new GroupedEvent());

  /** What objects of the stored version go through when they come from outside. */
  private static final Map<GroupVersionKind, UnaryOperator<JsonObject>> READ =
      Map.of(
          new GroupVersionKind("apps", "v1", "DaemonSet"),
          DeprecatedAnnotations::ofDaemonSet,
          new GroupVersionKind("apps", "v1", "Deployment"),
          DeprecatedAnnotations::ofDeployment,
          new GroupVersionKind("policy", "v1", "PodDisruptionBudget"),
          BudgetSelector::stripped);

  private Conversions() {}

  /**
   * The object in its stored version.
   *
   * @throws DecodeException when the stored version cannot say what the object says
   */
  public static JsonObject toStored(ResourceType type, JsonObject object) {
    if (type.kind().equals(type.stored())) {
      var read = READ.get(type.kind());
      return read == null ? object : read.apply(object);
    }
    var conversion = of(type);
    return conversion.withEmpty(
        normal(
            type,
            conversion
                .toStored(object)
                .with("kind", type.stored().kind())
                .with("apiVersion", type.stored().apiVersion())));
  }

  public static JsonObject fromStored(ResourceType type, JsonObject stored) {
    return type.kind().equals(type.stored())
        ? stored
        : TypedReader.normal(
            type.shape(),
            of(type)
                .fromStored(stored)
                .with("kind", type.kind().kind())
                .with("apiVersion", type.kind().apiVersion()));
  }

  /** The metadata of a stored object as it is shown without the object. */
  public static JsonObject metadata(JsonObject stored) {
    var metadata = stored.object("metadata");
    if (!stored.string("apiVersion").equals("apps/v1")) {
      return metadata;
    }
    return switch (stored.string("kind")) {
      case "DaemonSet" ->
          DeprecatedAnnotations.hidden(metadata, DeprecatedAnnotations.TEMPLATE_GENERATION);
      case "Deployment" -> DeprecatedAnnotations.hidden(metadata, DeprecatedAnnotations.ROLLBACK);
      default -> metadata;
    };
  }

  private static JsonObject normal(ResourceType type, JsonObject stored) {
    var shape = Schemas.of(type.stored());
    return shape == null ? stored : TypedReader.normal(shape, stored);
  }

  private static Conversion of(ResourceType type) {
    var known = KNOWN.get(type.kind());
    if (known == null) {
      throw new IllegalStateException("no conversion of " + type.kind());
    }
    return known;
  }
}
