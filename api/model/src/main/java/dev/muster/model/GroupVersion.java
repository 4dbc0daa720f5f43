package dev.muster.model;

/**
 * A version of an API group, written {@code v1} in the core group and {@code apps/v1} in other
 * groups.
 */
public record GroupVersion(String group, String version) {
  public static GroupVersion parse(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? new GroupVersion("", apiVersion)
        : new GroupVersion(apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
  }

  public GroupVersionKind kind(String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  public GroupVersionResource resource(String resource) {
    return new GroupVersionResource(group, version, resource);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
