package dev.muster.types;

import dev.muster.model.GroupVersion;
import java.util.Comparator;
import java.util.List;

/**
 * The served types of one group version, by name. Immutable. {@link Types} reuses the instance
 * while none of its types changes, so that derived values stay valid.
 */
public final class VersionTypes extends Derivation.Source {
  private final GroupVersion groupVersion;
  private final List<ServedType> types;

  VersionTypes(GroupVersion groupVersion, List<ServedType> types) {
    this.groupVersion = groupVersion;
    this.types = types.stream().sorted(Comparator.comparing(ServedType::plural)).toList();
  }

  public GroupVersion groupVersion() {
    return groupVersion;
  }

  public List<ServedType> types() {
    return types;
  }

  /** The priority of all its types. */
  public ApiPriority priority() {
    return types.getFirst().priority();
  }

  /** Whether both hold the same instances of types. */
  boolean isSameAs(VersionTypes other) {
    if (types.size() != other.types.size()) {
      return false;
    }
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i) != other.types.get(i)) {
        return false;
      }
    }
    return true;
  }
}
