package dev.muster.controllers.storageversions;

import java.util.List;
import java.util.Set;

/**
 * A resource with the version in which its objects are rewritten.
 *
 * @param verbs the verbs that it supports
 */
record MigratedResource(
    String group, String version, String plural, boolean namespaced, Set<String> verbs) {
  private static final List<String> NEEDED = List.of("update", "patch", "list");

  boolean isMigratable() {
    return verbs.containsAll(NEEDED);
  }

  /** Why it cannot be migrated, with upstream's message. */
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
