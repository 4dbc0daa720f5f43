package dev.muster.model;

/** Where an object lives: its namespace ("" for cluster-scoped objects) and its name. */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {
  @Override
  public int compareTo(ObjectName other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
