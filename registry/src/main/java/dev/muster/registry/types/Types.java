package dev.muster.registry.types;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.ObjectName;
import dev.muster.replica.CollectionSpec;
import dev.muster.replica.KeySpace;
import dev.muster.replica.Replica;
import dev.muster.replica.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The types of one moment. Immutable: a type that comes, changes or goes makes another one. */
public final class Types extends Derivation.Source implements KeySpace {
  private final List<ServedType> all;
  private final Map<GroupVersionResource, ServedType> known = new HashMap<>();
  private final Map<GroupVersionResource, ServedType> served = new HashMap<>();
  private final Map<GroupVersionKind, ServedType> byKind = new HashMap<>();
  private final Map<String, ServedType> byStorage = new HashMap<>();
  private final Map<GroupVersion, VersionTypes> versions = new LinkedHashMap<>();
  private final Map<String, List<VersionTypes>> groups = new LinkedHashMap<>();

  private Types(List<ServedType> types, @Nullable Types before) {
    this.all = List.copyOf(types);
    for (var type : all) {
      var name = type.groupVersion().resource(type.plural());
      if (known.put(name, type) != null) {
        throw new IllegalArgumentException("there twice: " + name);
      }
      if (type.isStored()) {
        // Of several versions of a resource, the keys belong to the one that is stored.
        byStorage.merge(type.storage(), type, (a, b) -> a.isStoredVersion() ? a : b);
      }
      if (type.isServed()) {
        served.put(name, type);
        byKind.put(type.kind(), type);
      }
    }
    group(before);
  }

  public static Types of(List<ServedType> types) {
    return new Types(types, null);
  }

  /** The types of that snapshot. */
  public static Types in(Snapshot snapshot) {
    return (Types) snapshot.keySpace();
  }

  /** The types of that replica's newest snapshot. */
  public static Types in(Replica replica) {
    return (Types) replica.keySpace();
  }

  /** These types without some, and with others. */
  public Types with(Collection<ServedType> gone, Collection<ServedType> more) {
    var types = new ArrayList<>(all);
    types.removeAll(gone);
    types.addAll(more);
    return new Types(types, this);
  }

  /** Groups the served types in the order in which clients prefer them. */
  private void group(@Nullable Types before) {
    var byVersion = new HashMap<GroupVersion, List<ServedType>>();
    for (var type : served.values()) {
      byVersion.computeIfAbsent(type.groupVersion(), ignored -> new ArrayList<>()).add(type);
    }
    var byGroup = new TreeMap<String, List<VersionTypes>>();
    byVersion.forEach(
        (version, types) -> {
          var made = new VersionTypes(version, types);
          var old = before == null ? null : before.versions.get(version);
          byGroup
              .computeIfAbsent(version.group(), ignored -> new ArrayList<>())
              .add(old != null && made.isSameAs(old) ? old : made);
        });
    var inOrder = new ArrayList<>(byGroup.values());
    inOrder.sort(Comparator.comparingInt(Types::priority).reversed());
    for (var group : inOrder) {
      group.sort(
          Comparator.comparing(
              types -> types.groupVersion().version(), VersionOrder.PREFERRED_FIRST));
      group.forEach(types -> versions.put(types.groupVersion(), types));
      groups.put(group.getFirst().groupVersion().group(), List.copyOf(group));
    }
  }

  private static int priority(List<VersionTypes> group) {
    return group.stream().mapToInt(types -> types.priority().group()).max().orElse(0);
  }

  /** All types, whether they are served or not. */
  public List<ServedType> all() {
    return all;
  }

  /** The served types by group and version, in the order in which clients prefer them. */
  public Collection<VersionTypes> versions() {
    return Collections.unmodifiableCollection(versions.values());
  }

  public Set<GroupVersion> groupVersions() {
    return Collections.unmodifiableSet(versions.keySet());
  }

  /** The names of the groups, in the order in which clients prefer them. */
  public Set<String> groups() {
    return Collections.unmodifiableSet(groups.keySet());
  }

  /** The versions of a group, the preferred one first; none when it is not served. */
  public List<VersionTypes> group(String name) {
    return groups.getOrDefault(name, List.of());
  }

  /** What is served in that version of a group, or null. */
  public @Nullable VersionTypes version(GroupVersion groupVersion) {
    return versions.get(groupVersion);
  }

  /** The served type of that name, or null. */
  public @Nullable ServedType find(String group, String version, String plural) {
    return served.get(new GroupVersionResource(group, version, plural));
  }

  /** The type of that name, whether it is served or not, or null. */
  public @Nullable ServedType known(GroupVersionResource resource) {
    return known.get(resource);
  }

  /** What has the name of that type here: the type itself while it is what it was, or null. */
  public @Nullable ServedType now(ServedType type) {
    return known.get(type.groupVersion().resource(type.plural()));
  }

  /** The served type of that kind, or null. */
  public @Nullable ServedType ofKind(GroupVersionKind kind) {
    return byKind.get(kind);
  }

  /**
   * The resource whose keys begin with that prefix, such as {@code /services/specs}, in the version
   * in which it is stored, or null.
   */
  public @Nullable ServedType ofStorage(String prefix) {
    return byStorage.get(prefix);
  }

  /** The beginnings of the keys of all stored resources. */
  public Set<String> storagePrefixes() {
    return Collections.unmodifiableSet(byStorage.keySet());
  }

  @Override
  public Iterable<CollectionSpec> collections() {
    return () -> byStorage.values().stream().map(ServedType::collection).iterator();
  }

  @Override
  public @Nullable CollectionSpec collection(String storage) {
    var type = byStorage.get(storage);
    return type == null ? null : type.collection();
  }

  /** Upstream's layout: one or two words, the namespace of objects that have one, the name. */
  @Override
  public @Nullable Place locate(String key) {
    int first = key.indexOf('/', 1);
    if (first < 0) {
      return null;
    }
    var one = place(key, first);
    if (one != null) {
      return one;
    }
    int second = key.indexOf('/', first + 1);
    return second < 0 ? null : place(key, second);
  }

  private @Nullable Place place(String key, int end) {
    var storage = key.substring(0, end);
    var type = byStorage.get(storage);
    if (type == null) {
      return null;
    }
    int slash = key.indexOf('/', end + 1);
    if (type.namespaced()) {
      return slash < 0
          ? null
          : new Place(
              type.collection(),
              new ObjectName(key.substring(end + 1, slash), key.substring(slash + 1)));
    }
    return new Place(type.collection(), new ObjectName("", key.substring(end + 1)));
  }
}
