package dev.muster.model;

/** A resource without a version, written {@code pods} or {@code deployments.apps}. */
public record GroupResource(String group, String resource) {
  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
