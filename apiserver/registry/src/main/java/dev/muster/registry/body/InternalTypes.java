package dev.muster.registry.body;

import dev.muster.model.GroupVersionKind;

/** The names of kube-apiserver's internal Go types, which some of its messages contain. */
public final class InternalTypes {
  private InternalTypes() {}

  /** The Go type of a kind in any version, such as {@code core.ConfigMap}. */
  public static String name(GroupVersionKind kind) {
    return packageOf(kind.group()) + "." + kind.kind();
  }

  private static String packageOf(String group) {
    return switch (group) {
      case "", "events.k8s.io" -> "core";
      case "internal.apiserver.k8s.io" -> "apiserverinternal";
      default -> {
        int dot = group.indexOf('.');
        yield dot < 0 ? group : group.substring(0, dot);
      }
    };
  }
}
