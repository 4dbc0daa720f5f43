package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import java.util.Locale;

/**
 * What groups and versions are called in the names and tags of operations.
 *
 * @param version how operations name a group and version: {@code RbacAuthorizationV1}
 * @param tag {@code rbacAuthorization_v1}
 */
record OperationNames(String version, String tag) {
  /** What groups of the Kubernetes community end with, and names do not. */
  private static final String COMMUNITY = ".k8s.io";

  static OperationNames of(GroupVersion version) {
    var group = groupName(version.group());
    return new OperationNames(
        group + capital(version.version()),
        group.substring(0, 1).toLowerCase(Locale.ROOT)
            + group.substring(1)
            + "_"
            + version.version());
  }

  static String groupName(String group) {
    if (group.isEmpty()) {
      return "Core";
    }
    var name = new StringBuilder();
    var own = group.endsWith(COMMUNITY) ? group.substring(0, group.lastIndexOf(COMMUNITY)) : group;
    for (var part : own.split("\\.")) {
      name.append(capital(part));
    }
    return name.toString();
  }

  static String capital(String text) {
    return text.isEmpty() ? "" : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
