package dev.muster.controllers.garbagecollector;

/**
 * One owner reference of an object.
 *
 * @param blocks whether a foreground deletion of the owner waits for the object
 */
record OwnerReference(String apiVersion, String kind, String name, String uid, boolean blocks) {
  /** The place of the owner, as seen from a dependent in that namespace. */
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
