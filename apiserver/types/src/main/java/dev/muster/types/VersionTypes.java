package dev.muster.types;

import dev.muster.model.GroupVersion;
import java.util.Comparator;
import java.util.List;

/**
 * The types of one version of a group that are served, by their names. Immutable; the {@link Types}
 * of a later moment have the same instance while nothing in it changes, so that what was derived of
 * it holds on.
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

  /** Whether it holds exactly the types of the other, and not only such as look like them. */
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
