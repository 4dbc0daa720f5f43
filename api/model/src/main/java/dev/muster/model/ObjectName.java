package dev.muster.model;

/**
 * The namespace ("" for cluster-scoped objects) and name of an object. Names sort in the order of
 * their store keys. This differs from the order of namespaces: {@code a-b/x} comes before {@code
 * a/x}.
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
