package dev.muster.model.quota;

import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;

/** Measures what objects of one resource take of a quota. Without state. */
public sealed interface Measure
    permits ClaimMeasure, CountMeasure, DeviceMeasure, PodMeasure, ServiceMeasure {
  /** Those names of a quota that this measures. */
  List<String> matching(Collection<String> names);

  /**
   * Whether an object falls under a scope of a quota.
   *
   * @param requirement with {@code scopeName}, {@code operator} and {@code values}
   */
  default boolean matchesScope(JsonObject requirement, JsonObject object) {
    return false;
  }

  /** What an object lacks that must be said under a quota of these names; "" for nothing. */
  default String lacks(Collection<String> required, JsonObject object) {
    return "";
  }

  ResourceList usage(JsonObject object);
}
