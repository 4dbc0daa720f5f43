package dev.muster.model;

/** What the {@code apiVersion} and {@code kind} of an object say. */
public record GroupVersionKind(String group, String version, String kind) {
  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  public GroupKind groupKind() {
    return new GroupKind(group, kind);
  }

  public String apiVersion() {
    return groupVersion().toString();
  }
}
