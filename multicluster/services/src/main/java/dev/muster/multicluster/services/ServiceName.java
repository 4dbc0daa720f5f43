package dev.muster.multicluster.services;

/** The namespace and name of a service, which are the same in every cluster of the ClusterSet. */
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
