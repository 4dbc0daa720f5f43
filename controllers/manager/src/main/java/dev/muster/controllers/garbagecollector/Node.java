package dev.muster.controllers.garbagecollector;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Guarded by its graph's lock. One object in the graph. It is virtual while only its dependents
 * speak of it: it may not exist, or exist elsewhere.
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

  /** A deletion never ends but with the object; its finalizers may change. */
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

  /** How many dependents a foreground deletion waits for, counted as they come and go. */
  int blocking() {
    return blocking;
  }

  /** Takes a dependent in, or notes that it blocks now or no longer does. */
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
