package dev.muster.model.select;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many label requirements, merged by key. Immutable. A check visits each label of an object once
 * and counts the requirements that need a present label. Requirements that a missing label meets
 * need no count.
 */
final class MergedRequirements {
  private final Map<String, Merged> byKey = new HashMap<>();
  private final int needed;

  MergedRequirements(List<LabelRequirement> requirements) {
    for (var requirement : requirements) {
      byKey.computeIfAbsent(requirement.key(), key -> new Merged()).add(requirement);
    }
    needed = (int) byKey.values().stream().filter(merged -> merged.needed).count();
  }

  boolean matches(Map<String, String> labels) {
    int found = 0;
    for (var label : labels.entrySet()) {
      var merged = byKey.get(label.getKey());
      if (merged != null) {
        if (!merged.matches(label.getValue())) {
          return false;
        }
        found += merged.needed ? 1 : 0;
      }
    }
    return found == needed;
  }

  /** The merged requirements on one key. */
  private static final class Merged {
    private @Nullable Set<String> allowed;
    private final Set<String> refused = new HashSet<>();
    private @Nullable LabelRequirement highest;
    private @Nullable LabelRequirement lowest;
    private boolean needed;
    private boolean unwanted;

    void add(LabelRequirement requirement) {
      switch (requirement.operator()) {
        case EQUALS, DOUBLE_EQUALS, IN -> {
          needed = true;
          if (allowed == null) {
            allowed = new HashSet<>(requirement.values());
          } else {
            allowed.retainAll(new HashSet<>(requirement.values()));
          }
        }
        case NOT_EQUALS, NOT_IN -> refused.addAll(requirement.values());
        case EXISTS -> needed = true;
        case DOES_NOT_EXIST -> unwanted = true;
        case GREATER_THAN -> {
          needed = true;
          highest = highest == null || limit(requirement) > limit(highest) ? requirement : highest;
        }
        case LESS_THAN -> {
          needed = true;
          lowest = lowest == null || limit(requirement) < limit(lowest) ? requirement : lowest;
        }
      }
    }

    private static long limit(LabelRequirement requirement) {
      return Long.parseLong(requirement.values().getFirst());
    }

    boolean matches(String value) {
      return !unwanted
          && (allowed == null || allowed.contains(value))
          && !refused.contains(value)
          && (highest == null || highest.matches(value))
          && (lowest == null || lowest.matches(value));
    }
  }
}
