package dev.muster.controllers.garbagecollector;

/**
 * What an object says of one of its owners.
 *
 * @param blocks whether a foreground deletion of the owner waits for the object
 */
record OwnerReference(String apiVersion, String kind, String name, String uid, boolean blocks) {
  /** The owner as its dependent in that namespace means it. */
  ObjectReference in(String namespace) {
    return new ObjectReference(apiVersion, kind, namespace, name, uid);
  }

  boolean names(ObjectReference owner) {
    return uid.equals(owner.uid())
        && name.equals(owner.name())
        && kind.equals(owner.kind())
        && apiVersion.equals(owner.apiVersion());
  }
}
