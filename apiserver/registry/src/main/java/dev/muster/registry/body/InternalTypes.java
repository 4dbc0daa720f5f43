package dev.muster.registry.body;

import dev.muster.model.GroupVersionKind;

/** What kube-apiserver calls, in some of its messages, the types that it works with inside. */
public final class InternalTypes {
  private InternalTypes() {}

  /** Such as {@code core.ConfigMap}, for any version of the kind. */
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
