package dev.muster.server.discovery;

import dev.muster.model.GroupVersion;
import dev.muster.server.discovery.RemoteVersions.RemoteVersion;
import dev.muster.types.ApiPriority;
import dev.muster.types.Types;
import dev.muster.types.VersionOrder;
import dev.muster.types.VersionTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The groups of this server and of aggregated API servers, in the order in which clients prefer
 * them. An aggregated group version replaces one of this server with the same name. Immutable.
 */
final class ServedGroups {
  /** The server that serves a group version. */
  sealed interface Served {
    GroupVersion groupVersion();

    ApiPriority priority();
  }

  record Local(VersionTypes types) implements Served {
    @Override
    public GroupVersion groupVersion() {
      return types.groupVersion();
    }

    @Override
    public ApiPriority priority() {
      return types.priority();
    }
  }

  record Remote(RemoteVersion version) implements Served {
    @Override
    public GroupVersion groupVersion() {
      return version.groupVersion();
    }

    @Override
    public ApiPriority priority() {
      return version.priority();
    }
  }

  private static final Comparator<Served> PREFERRED_FIRST =
      Comparator.<Served>comparingInt(served -> -served.priority().version())
          .thenComparing(served -> served.groupVersion().version(), VersionOrder.PREFERRED_FIRST);

  private final Map<String, List<Served>> groups;

  private ServedGroups(Map<String, List<Served>> groups) {
    this.groups = groups;
  }

  static ServedGroups of(Types types, RemoteVersions remote) {
    var elsewhere =
        remote.all().stream().map(RemoteVersion::groupVersion).collect(Collectors.toSet());
    var byName = new TreeMap<String, List<Served>>();
    for (var local : types.versions()) {
      if (!elsewhere.contains(local.groupVersion())) {
        group(byName, local.groupVersion()).add(new Local(local));
      }
    }
    for (var other : remote.all()) {
      var versions = group(byName, other.groupVersion());
      versions.add(new Remote(other));
      versions.sort(PREFERRED_FIRST);
    }
    var names = new ArrayList<>(byName.keySet());
    names.sort(Comparator.comparingInt(name -> -priority(byName.getOrDefault(name, List.of()))));
    var groups = new LinkedHashMap<String, List<Served>>();
    names.forEach(name -> groups.put(name, List.copyOf(byName.getOrDefault(name, List.of()))));
    return new ServedGroups(groups);
  }

  private static List<Served> group(Map<String, List<Served>> byName, GroupVersion version) {
    return byName.computeIfAbsent(version.group(), absent -> new ArrayList<>());
  }

  private static int priority(List<Served> versions) {
    return versions.stream().mapToInt(served -> served.priority().group()).max().orElse(0);
  }

  /** The names of all groups. */
  Set<String> names() {
    return groups.keySet();
  }

  /** The versions of a group, the preferred one first; empty when the group is not served. */
  List<Served> versions(String group) {
    return groups.getOrDefault(group, List.of());
  }
}
