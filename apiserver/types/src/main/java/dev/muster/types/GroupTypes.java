package dev.muster.types;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of one API group. Immutable. {@link Types} reuses the instance while no type of the
 * group changes, so that a new type costs only as much as its own group.
 */
final class GroupTypes {
  private final List<ServedType> all;
  private final Map<GroupVersionResource, ServedType> known = new HashMap<>();
  private final Map<GroupVersionKind, ServedType> byKind = new HashMap<>();
  private final Map<String, ServedType> byStorage = new HashMap<>();
  private final Map<String, List<ServedType>> byDefinition = new LinkedHashMap<>();
  private final Map<GroupVersion, VersionTypes> byVersion = new HashMap<>();
  private final List<VersionTypes> versions;

  private GroupTypes(List<ServedType> types, Map<GroupVersion, VersionTypes> former) {
    this.all = List.copyOf(types);
    var served = new HashMap<GroupVersion, List<ServedType>>();
    for (var type : all) {
      var name = type.groupVersion().resource(type.plural());
      if (known.put(name, type) != null) {
        throw new IllegalArgumentException("there twice: " + name);
      }
      if (type.isStored()) {
        // If several versions share a storage prefix, it belongs to the stored version.
        byStorage.merge(type.storage(), type, (a, b) -> a.isStoredVersion() ? a : b);
      }
      var definition = type.definition();
      if (definition != null) {
        byDefinition.computeIfAbsent(definition.key(), key -> new ArrayList<>()).add(type);
      }
      if (type.isServed()) {
        byKind.put(type.kind(), type);
        served.computeIfAbsent(type.groupVersion(), version -> new ArrayList<>()).add(type);
      }
    }
    byDefinition.replaceAll((key, defined) -> List.copyOf(defined));
    served.forEach(
        (version, inVersion) -> {
          var made = new VersionTypes(version, inVersion);
          var old = former.get(version);
          byVersion.put(version, old != null && made.isSameAs(old) ? old : made);
        });
    this.versions =
        byVersion.values().stream()
            .sorted(
                Comparator.comparing(
                    version -> version.groupVersion().version(), VersionOrder.PREFERRED_FIRST))
            .toList();
  }

  static GroupTypes of(List<ServedType> types) {
    return new GroupTypes(types, Map.of());
  }

  /** This group without some types and with others; null when none are left. */
  @Nullable GroupTypes with(Collection<ServedType> gone, Collection<ServedType> more) {
    var types = new ArrayList<>(all);
    types.removeAll(gone);
    types.addAll(more);
    return types.isEmpty() ? null : new GroupTypes(types, byVersion);
  }

  /** All types, served or not. */
  List<ServedType> all() {
    return all;
  }

  /** The versions with served types, the preferred one first. */
  List<VersionTypes> versions() {
    return versions;
  }

  /** The served types of that version, or null. */
  @Nullable VersionTypes version(GroupVersion version) {
    return byVersion.get(version);
  }

  /** The type of that name, served or not, or null. */
  @Nullable ServedType known(GroupVersionResource resource) {
    return known.get(resource);
  }

  /** The served type of that kind, or null. */
  @Nullable ServedType ofKind(GroupVersionKind kind) {
    return byKind.get(kind);
  }

  /** The stored types by storage prefix, in their stored version. */
  Map<String, ServedType> byStorage() {
    return byStorage;
  }

  /** The types that definitions declare, by the store keys of the definitions. */
  Map<String, List<ServedType>> byDefinition() {
    return byDefinition;
  }

  /** The priority of the group; clients prefer the group with the highest one. */
  int priority() {
    int highest = 0;
    for (var version : versions) {
      highest = Math.max(highest, version.priority().group());
    }
    return highest;
  }
}
