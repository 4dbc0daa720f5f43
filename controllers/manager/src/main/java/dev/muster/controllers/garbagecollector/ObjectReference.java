package dev.muster.controllers.garbagecollector;

/**
 * Where an object is, or is said to be.
 *
 * @param namespace empty for one of the cluster
 */
record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {

  boolean isNamespaced() {
    return !namespace.isEmpty();
  }

  ObjectReference in(String otherNamespace) {
    return new ObjectReference(apiVersion, kind, otherNamespace, name, uid);
  }

  /** In the words of the events that people match. */
  @Override
  public String toString() {
    return "[%s/%s, namespace: %s, name: %s, uid: %s]"
        .formatted(apiVersion, kind, namespace, name, uid);
  }
}
