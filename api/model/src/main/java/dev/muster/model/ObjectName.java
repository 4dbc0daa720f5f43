package dev.muster.model;

/**
 * Where an object lives: its namespace ("" for cluster-scoped objects) and its name. Names are in
 * the order of the keys under which their objects are stored, which is not that of the namespaces:
 * {@code a-b/x} comes before {@code a/x}.
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {
  @Override
  public int compareTo(ObjectName other) {
    return namespace.equals(other.namespace)
        ? name.compareTo(other.name)
        : toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
