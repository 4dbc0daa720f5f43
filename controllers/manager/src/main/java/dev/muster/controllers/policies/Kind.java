package dev.muster.controllers.policies;

import java.util.Comparator;

/** A group, version and kind, formatted as in kube-controller-manager. */
record Kind(String group, String version, String name) {
  static final Comparator<Kind> ORDER =
      Comparator.comparing(Kind::group).thenComparing(Kind::version).thenComparing(Kind::name);

  static Kind of(String apiVersion, String name) {
    int slash = apiVersion.indexOf('/');
    return new Kind(
        slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), name);
  }

  /** Such as {@code apis/apps/v1}. */
  String path() {
    return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
  }

  /** A unique name, such as {@code apps.v1.Deployment}. */
  String qualified() {
    return (group.isEmpty() ? "" : group + ".") + version + "." + name;
  }

  @Override
  public String toString() {
    return group + "/" + version + ", Kind=" + name;
  }
}
