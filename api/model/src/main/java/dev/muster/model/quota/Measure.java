package dev.muster.model.quota;

import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;

/** Measures how much of a quota the objects of one resource use. Stateless. */
public sealed interface Measure
    permits ClaimMeasure, CountMeasure, DeviceMeasure, PodMeasure, ServiceMeasure {
  /** The names of a quota's resources that this measures. */
  List<String> matching(Collection<String> names);

  /**
   * Whether an object falls under a scope of a quota.
   *
   * @param requirement with {@code scopeName}, {@code operator} and {@code values}
   */
  default boolean matchesScope(JsonObject requirement, JsonObject object) {
    return false;
  }

  /**
   * The values that a quota of these names requires and the object lacks; "" when none is missing.
   */
  default String lacks(Collection<String> required, JsonObject object) {
    return "";
  }

  ResourceList usage(JsonObject object);
}
