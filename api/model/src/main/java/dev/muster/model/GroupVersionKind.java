package dev.muster.model;

/** The {@code apiVersion} and {@code kind} of an object. */
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
