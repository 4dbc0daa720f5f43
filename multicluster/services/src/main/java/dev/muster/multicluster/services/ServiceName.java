package dev.muster.multicluster.services;

/** A service of the ClusterSet: the same namespace and name in every cluster. */
public record ServiceName(String namespace, String name) implements Comparable<ServiceName> {
  @Override
  public int compareTo(ServiceName other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
