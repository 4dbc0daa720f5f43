package dev.muster.controllers.garbagecollector;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One object in the graph. It is virtual while only its dependents name it: it may not exist, or
 * exist at another place. The lock of its graph guards it.
 */
final class Node {
  private ObjectReference identity;
  private List<OwnerReference> owners = List.of();
  private Map<Node, Boolean> dependents = Map.of();
  private int blocking;
  private boolean virtual;
  private boolean deleting;
  private boolean orphaning;
  private boolean deletingDependents;

  Node(ObjectReference identity, boolean virtual) {
    this.identity = identity;
    this.virtual = virtual;
  }

  ObjectReference identity() {
    return identity;
  }

  String uid() {
    return identity.uid();
  }

  void identify(ObjectReference observed) {
    identity = observed;
  }

  List<OwnerReference> owners() {
    return owners;
  }

  void own(List<OwnerReference> references) {
    owners = references;
  }

  boolean isVirtual() {
    return virtual;
  }

  void setVirtual(boolean virtual) {
    this.virtual = virtual;
  }

  boolean isDeleting() {
    return deleting;
  }

  boolean isOrphaning() {
    return orphaning;
  }

  boolean isDeletingDependents() {
    return deletingDependents;
  }

  /** A deletion mark never disappears; the finalizers may change. */
  void mark(ObjectMetadata object) {
    deleting |= object.deleting();
    orphaning = object.isOrphaning();
    deletingDependents = object.isDeletingDependents();
  }

  Iterable<Node> dependents() {
    return dependents.keySet();
  }

  int dependentCount() {
    return dependents.size();
  }

  /** The number of blocking dependents, maintained incrementally. */
  int blocking() {
    return blocking;
  }

  /** Adds a dependent, or updates whether it blocks. */
  void adopt(Node dependent) {
    if (dependents.isEmpty()) {
      dependents = new HashMap<>();
    }
    boolean blocks =
        dependent.owners.stream().anyMatch(owner -> owner.uid().equals(uid()) && owner.blocks());
    var before = dependents.put(dependent, blocks);
    blocking += (blocks ? 1 : 0) - (Boolean.TRUE.equals(before) ? 1 : 0);
  }

  void release(Node dependent) {
    if (Boolean.TRUE.equals(dependents.isEmpty() ? null : dependents.remove(dependent))) {
      blocking--;
    }
  }
}
