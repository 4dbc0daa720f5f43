package dev.muster.registry.rules;

import dev.muster.model.GroupVersionKind;
import java.util.Map;

/** Kinds that are served but should not be used any more; every request for them is warned. */
public final class Deprecations {
  private static final Map<GroupVersionKind, String> WARNINGS =
      Map.of(
          new GroupVersionKind("", "v1", "ComponentStatus"),
          "v1 ComponentStatus is deprecated in v1.19+",
          new GroupVersionKind("", "v1", "Endpoints"),
          "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");

  private Deprecations() {}

  /** The warning for that kind, whatever the verb and the outcome; "" when there is none. */
  public static String warning(GroupVersionKind kind) {
    return WARNINGS.getOrDefault(kind, "");
  }
}
