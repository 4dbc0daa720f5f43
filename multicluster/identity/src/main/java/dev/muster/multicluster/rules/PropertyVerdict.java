package dev.muster.multicluster.rules;

import java.util.List;

/** What the rules say of a change. */
public sealed interface PropertyVerdict {
  /** Nothing speaks against it, though there may be something to say. */
  record Allowed(List<String> warnings) implements PropertyVerdict {
    public Allowed {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * It must not happen.
   *
   * @param sentence what is wrong, and what to do
   */
  record Refused(String sentence) implements PropertyVerdict {}

  static PropertyVerdict allowed() {
    return new Allowed(List.of());
  }
}
