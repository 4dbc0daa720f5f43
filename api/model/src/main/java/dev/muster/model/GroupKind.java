package dev.muster.model;

/** A kind without a version, written {@code ConfigMap} or {@code Deployment.apps}. */
public record GroupKind(String group, String kind) {
  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
