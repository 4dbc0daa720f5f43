package dev.muster.model;

/** A resource in one version, as its path names it. */
public record GroupVersionResource(String group, String version, String resource) {
  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  public GroupResource groupResource() {
    return new GroupResource(group, resource);
  }
}
