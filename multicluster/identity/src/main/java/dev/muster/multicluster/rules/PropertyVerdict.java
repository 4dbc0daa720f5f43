package dev.muster.multicluster.rules;

import java.util.List;

/** The decision about a change of a cluster property. */
public sealed interface PropertyVerdict {
  /** The change is allowed, perhaps with warnings. */
  record Allowed(List<String> warnings) implements PropertyVerdict {
    public Allowed {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * The change is refused.
   *
   * @param sentence the problem and the remedy
   */
  record Refused(String sentence) implements PropertyVerdict {}

  static PropertyVerdict allowed() {
    return new Allowed(List.of());
  }
}
