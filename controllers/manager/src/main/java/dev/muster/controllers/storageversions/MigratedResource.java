package dev.muster.controllers.storageversions;

import java.util.List;
import java.util.Set;

/**
 * A resource in the version in which its objects are written anew.
 *
 * @param verbs what can be done with it
 */
record MigratedResource(
    String group, String version, String plural, boolean namespaced, Set<String> verbs) {
  private static final List<String> NEEDED = List.of("update", "patch", "list");

  boolean isMigratable() {
    return verbs.containsAll(NEEDED);
  }

  /** Why it cannot be migrated, in upstream's words. */
  String refusal() {
    var name = group + "/" + version + ", Resource=" + plural;
    return "resource \"%s\" does not support discovery operations: [%s]"
        .formatted(name, String.join(" ", NEEDED));
  }

  /** The name of its CustomResourceDefinition, if it has one. */
  String definitionName() {
    return plural + "." + group;
  }

  /** The name of its StorageVersion. */
  String storageVersionName() {
    return (group.isEmpty() ? "core" : group) + "." + plural;
  }

  /** The path of its group and version. */
  String prefix() {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
  }
}
