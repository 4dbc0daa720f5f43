package dev.muster.access.admission.quota;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.Collection;
import java.util.List;

/** Measures what objects of one resource take of a quota. Without state. */
public interface Measure {
  /** Whether a request can change anything that is measured. */
  boolean handles(AdmissionRequest request);

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
