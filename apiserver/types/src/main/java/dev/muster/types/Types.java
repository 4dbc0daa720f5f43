package dev.muster.types;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.ObjectName;
import dev.muster.replica.Replica;
import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All types at one revision. Immutable: a new, changed or removed type makes a new instance. */
public final class Types extends Derivation.Source implements KeySpace {
  private final Map<String, GroupTypes> groups;

  /** Types whose storage prefix does not begin with their group, by storage prefix. */
  private final Map<String, ServedType> elsewhere;

  private volatile @Nullable Map<GroupVersion, VersionTypes> inOrder;

  private Types(Map<String, GroupTypes> groups, Map<String, ServedType> elsewhere) {
    this.groups = groups;
    this.elsewhere = elsewhere;
  }

  public static Types of(List<ServedType> types) {
    return new Types(Map.of(), Map.of()).with(List.of(), types);
  }

  /** The types of that snapshot. */
  public static Types in(Snapshot snapshot) {
    return (Types) snapshot.keySpace();
  }

  /** The types of that replica's newest snapshot. */
  public static Types in(Replica replica) {
    return (Types) replica.keySpace();
  }

  /** These types without some and with others. */
  public Types with(Collection<ServedType> gone, Collection<ServedType> more) {
    var outgoing = byGroup(gone);
    var incoming = byGroup(more);
    var touched = new LinkedHashSet<>(outgoing.keySet());
    touched.addAll(incoming.keySet());
    var next = new LinkedHashMap<>(groups);
    for (var name : touched) {
      var added = incoming.getOrDefault(name, List.of());
      var before = groups.get(name);
      var after =
          before == null
              ? GroupTypes.of(added)
              : before.with(outgoing.getOrDefault(name, List.of()), added);
      if (after == null) {
        next.remove(name);
      } else {
        next.put(name, after);
      }
    }
    boolean moves = Stream.of(gone, more).flatMap(Collection::stream).anyMatch(Types::isElsewhere);
    return new Types(next, moves ? runOnCpuPool(next.values()) : elsewhere);
  }

  private static Map<String, List<ServedType>> byGroup(Collection<ServedType> types) {
    var groups = new LinkedHashMap<String, List<ServedType>>();
    for (var type : types) {
      groups.computeIfAbsent(type.groupVersion().group(), ignored -> new ArrayList<>()).add(type);
    }
    return groups;
  }

  private static Map<String, ServedType> runOnCpuPool(Collection<GroupTypes> groups) {
    var found = new HashMap<String, ServedType>();
    for (var group : groups) {
      for (var type : group.byStorage().values()) {
        if (isElsewhere(type)) {
          // If several groups share a storage prefix, it belongs to the type that stores it.
          found.merge(type.storage(), type, (a, b) -> a.isStoredVersion() ? a : b);
        }
      }
    }
    return found;
  }

  private static boolean isElsewhere(ServedType type) {
    var group = type.groupVersion().group();
    return group.isEmpty() || !group.equals(firstWord(type.storage()));
  }

  /** The first word of a storage prefix of two words; "" for a single word. */
  private static String firstWord(String storage) {
    int end = storage.indexOf('/', 1);
    return end < 0 ? "" : storage.substring(1, end);
  }

  /** All types, served or not. */
  public List<ServedType> all() {
    return groups.values().stream().flatMap(group -> group.all().stream()).toList();
  }

  /** All types of a group, served or not; none for an unknown group. */
  public List<ServedType> allOf(String group) {
    var types = groups.get(group);
    return types == null ? List.of() : types.all();
  }

  /** The types of a group that definitions declare, by the store keys of the definitions. */
  public Map<String, List<ServedType>> definedIn(String group) {
    var types = groups.get(group);
    return types == null ? Map.of() : Collections.unmodifiableMap(types.byDefinition());
  }

  /** The types that the definition with that key declares, in any group. */
  public List<ServedType> definedBy(String key) {
    for (var group : groups.values()) {
      var types = group.byDefinition().get(key);
      if (types != null) {
        return types;
      }
    }
    return List.of();
  }

  /** The group versions in which definitions declare types, in no particular order. */
  public Set<GroupVersion> definedVersions() {
    var versions = new HashSet<GroupVersion>();
    for (var group : groups.values()) {
      for (var version :
          group.byDefinition().isEmpty() ? List.<VersionTypes>of() : group.versions()) {
        if (version.types().stream().anyMatch(ServedType::isCustom)) {
          versions.add(version.groupVersion());
        }
      }
    }
    return versions;
  }

  /** The served types by group and version, in order of preference. */
  public Collection<VersionTypes> versions() {
    return Collections.unmodifiableCollection(inOrder().values());
  }

  public Set<GroupVersion> groupVersions() {
    return Collections.unmodifiableSet(inOrder().keySet());
  }

  /** The group names, in order of preference. */
  public Set<String> groups() {
    var names = new LinkedHashSet<String>();
    inOrder().keySet().forEach(version -> names.add(version.group()));
    return Collections.unmodifiableSet(names);
  }

  /** Computed on demand, because at most revisions no client asks for all served types. */
  private Map<GroupVersion, VersionTypes> inOrder() {
    var known = inOrder;
    if (known == null) {
      var ordered = new LinkedHashMap<GroupVersion, VersionTypes>();
      groups.entrySet().stream()
          .sorted(
              Comparator.<Map.Entry<String, GroupTypes>>comparingInt(
                      group -> -group.getValue().priority())
                  .thenComparing(Map.Entry::getKey))
          .flatMap(group -> group.getValue().versions().stream())
          .forEachOrdered(version -> ordered.put(version.groupVersion(), version));
      inOrder = ordered;
      known = ordered;
    }
    return known;
  }

  /** The versions of a group, the preferred one first; none when the group is not served. */
  public List<VersionTypes> group(String name) {
    var group = groups.get(name);
    return group == null ? List.of() : group.versions();
  }

  /** The served types of that group version, or null. */
  public @Nullable VersionTypes version(GroupVersion groupVersion) {
    var group = groups.get(groupVersion.group());
    return group == null ? null : group.version(groupVersion);
  }

  /** The served type of that name, or null. */
  public @Nullable ServedType find(String group, String version, String plural) {
    var type = known(new GroupVersionResource(group, version, plural));
    return type != null && type.isServed() ? type : null;
  }

  /** The type of that name, served or not, or null. */
  public @Nullable ServedType known(GroupVersionResource resource) {
    var group = groups.get(resource.group());
    return group == null ? null : group.known(resource);
  }

  /**
   * The type with the same name in these types: the same instance while the type is unchanged; null
   * when it is gone.
   */
  public @Nullable ServedType now(ServedType type) {
    return known(type.groupVersion().resource(type.plural()));
  }

  /** The served type of that kind, or null. */
  public @Nullable ServedType ofKind(GroupVersionKind kind) {
    var group = groups.get(kind.group());
    return group == null ? null : group.ofKind(kind);
  }

  /**
   * The type with that storage prefix, such as {@code /services/specs}, in its stored version, or
   * null.
   */
  public @Nullable ServedType ofStorage(String prefix) {
    var type = elsewhere.get(prefix);
    if (type != null) {
      return type;
    }
    var group = groups.get(firstWord(prefix));
    return group == null ? null : group.byStorage().get(prefix);
  }

  /** The storage prefixes of all stored types. */
  public Set<String> storagePrefixes() {
    return stored().map(ServedType::storage).collect(Collectors.toUnmodifiableSet());
  }

  private Stream<ServedType> stored() {
    return Stream.concat(
        elsewhere.values().stream(),
        groups.values().stream()
            .flatMap(group -> group.byStorage().values().stream())
            .filter(type -> !isElsewhere(type) && !elsewhere.containsKey(type.storage())));
  }

  @Override
  public Iterable<CollectionSpec> collections() {
    return () -> stored().map(ServedType::collection).iterator();
  }

  @Override
  public @Nullable CollectionSpec collection(String storage) {
    var type = ofStorage(storage);
    return type == null ? null : type.collection();
  }

  /** Skips groups that are the same instance. */
  @Override
  public Iterable<String> changedSince(KeySpace before) {
    var former = (Types) before;
    if (elsewhere != former.elsewhere) {
      return KeySpace.super.changedSince(before);
    }
    var changed = new LinkedHashSet<String>();
    for (var group : former.groups.entrySet()) {
      if (groups.get(group.getKey()) != group.getValue()) {
        changed.addAll(group.getValue().byStorage().keySet());
      }
    }
    for (var group : groups.entrySet()) {
      if (former.groups.get(group.getKey()) != group.getValue()) {
        changed.addAll(group.getValue().byStorage().keySet());
      }
    }
    return changed;
  }

  /**
   * Parses a key in upstream's layout: a storage prefix of one or two words, the namespace of
   * namespaced objects, the name.
   */
  @Override
  public @Nullable KeyLocation locate(String key) {
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

  private @Nullable KeyLocation place(String key, int end) {
    var storage = key.substring(0, end);
    var type = ofStorage(storage);
    if (type == null) {
      return null;
    }
    int slash = key.indexOf('/', end + 1);
    if (type.namespaced()) {
      return slash < 0
          ? null
          : new KeyLocation(
              type.collection(),
              new ObjectName(key.substring(end + 1, slash), key.substring(slash + 1)));
    }
    return new KeyLocation(type.collection(), new ObjectName("", key.substring(end + 1)));
  }
}
