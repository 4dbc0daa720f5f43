package dev.muster.registry.conversion;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.TypedReader;
import java.util.Map;

/** The conversions of all types that are served in a version other than the stored one. */
public final class Conversions {
  private static final Map<GroupVersionKind, Conversion> KNOWN =
      Map.of(
          new GroupVersionKind("autoscaling", "v1", "HorizontalPodAutoscaler"),
          new AutoscalerV1(),
          new GroupVersionKind("events.k8s.io", "v1", "Event"),
          new GroupedEvent());

  private Conversions() {}

  public static JsonObject toStored(ResourceType type, JsonObject object) {
    return type.kind().equals(type.stored())
        ? object
        : normal(
            type,
            of(type)
                .toStored(object)
                .with("kind", type.stored().kind())
                .with("apiVersion", type.stored().apiVersion()));
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
