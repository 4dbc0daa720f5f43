package dev.muster.controllers.garbagecollector;

/**
 * The place of an object, observed or as a dependent names it.
 *
 * @param namespace empty for a cluster-scoped object
 */
record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {

  boolean isNamespaced() {
    return !namespace.isEmpty();
  }

  ObjectReference in(String otherNamespace) {
    return new ObjectReference(apiVersion, kind, otherNamespace, name, uid);
  }

  /** In the format of upstream's Events, which users match. */
  @Override
  public String toString() {
    return "[%s/%s, namespace: %s, name: %s, uid: %s]"
        .formatted(apiVersion, kind, namespace, name, uid);
  }
}
