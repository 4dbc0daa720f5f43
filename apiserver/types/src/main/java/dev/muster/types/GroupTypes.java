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
 * The types of one group. Immutable; the {@link Types} of a later moment have the same instance
 * while nothing in the group changes, so that a type that comes costs what its own group has.
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
        // Of several versions of a resource, the keys belong to the one that is stored.
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

  /** This group without some types, and with others; null when none are left. */
  @Nullable GroupTypes with(Collection<ServedType> gone, Collection<ServedType> more) {
    var types = new ArrayList<>(all);
    types.removeAll(gone);
    types.addAll(more);
    return types.isEmpty() ? null : new GroupTypes(types, byVersion);
  }

  /** All types, whether they are served or not. */
  List<ServedType> all() {
    return all;
  }

  /** The versions in which something is served, the preferred one first. */
  List<VersionTypes> versions() {
    return versions;
  }

  /** What is served in that version, or null. */
  @Nullable VersionTypes version(GroupVersion version) {
    return byVersion.get(version);
  }

  /** The type of that name, whether it is served or not, or null. */
  @Nullable ServedType known(GroupVersionResource resource) {
    return known.get(resource);
  }

  /** The served type of that kind, or null. */
  @Nullable ServedType ofKind(GroupVersionKind kind) {
    return byKind.get(kind);
  }

  /** The stored types by the first part of their keys, in the version in which they are stored. */
  Map<String, ServedType> byStorage() {
    return byStorage;
  }

  /** The types that objects define, by those objects' keys. */
  Map<String, List<ServedType>> byDefinition() {
    return byDefinition;
  }

  /** Of several groups, the one with the highest priority is preferred. */
  int priority() {
    int highest = 0;
    for (var version : versions) {
      highest = Math.max(highest, version.priority().group());
    }
    return highest;
  }
}
