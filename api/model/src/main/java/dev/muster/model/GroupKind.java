package dev.muster.model;

/** A kind whatever its version, written {@code ConfigMap} or {@code Deployment.apps}. */
public record GroupKind(String group, String kind) {
  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
