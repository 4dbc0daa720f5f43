package dev.muster.controllers.garbagecollector;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ownership relations between observed objects. Each change returns the follow-up work. The
 * graph sends no requests, uses no clock and decides nothing. Thread-safe, guarded by its own lock;
 * no call blocks.
 */
final class Graph {
  private final Map<String, Node> nodes = new HashMap<>();
  private final AbsentOwners absent;

  Graph(AbsentOwners absent) {
    this.absent = absent;
  }

  /**
   * The state of one object.
   *
   * @param blocking the number of dependents that its foreground deletion waits for
   * @param cyclic whether one of its dependents also waits for dependents, possibly for this object
   */
  record Snapshot(
      ObjectReference identity,
      boolean virtual,
      boolean deleting,
      boolean deletingDependents,
      int dependents,
      int blocking,
      boolean cyclic) {}

  synchronized Optional<Snapshot> check(String uid) {
    return Optional.ofNullable(nodes.get(uid)).map(Graph::snapshot);
  }

  private static Snapshot snapshot(Node node) {
    boolean cyclic = false;
    for (var dependent : node.dependents()) {
      if (dependent.isDeletingDependents()) {
        cyclic = true;
        break;
      }
    }
    return new Snapshot(
        node.identity(),
        node.isVirtual(),
        node.isDeleting(),
        node.isDeletingDependents(),
        node.dependentCount(),
        node.blocking(),
        cyclic);
  }

  /** The objects that name this one as an owner. */
  synchronized List<ObjectReference> dependents(String uid) {
    var found = new ArrayList<ObjectReference>();
    var node = nodes.get(uid);
    if (node != null) {
      node.dependents().forEach(dependent -> found.add(dependent.identity()));
    }
    return found;
  }

  synchronized int size() {
    return nodes.size();
  }

  /** An object was listed, created or updated. */
  synchronized List<GraphEffect> observe(ObjectMetadata object) {
    var effects = new ArrayList<GraphEffect>();
    var node = nodes.get(object.reference().uid());
    boolean wasOrphaning = node != null && node.isOrphaning();
    boolean wasDeletingDependents = node != null && node.isDeletingDependents();
    if (node == null) {
      node = new Node(object.reference(), false);
      node.mark(object);
      node.own(object.owners());
      nodes.put(node.uid(), node);
      addToOwners(node, object.owners(), effects);
    } else {
      if (node.isVirtual()) {
        becomeReal(node, object.reference(), effects);
      }
      node.mark(object);
      changeOwners(node, object.owners(), effects);
    }
    if (node.isOrphaning() && !wasOrphaning) {
      effects.add(new GraphEffect.AttemptToOrphan(node.uid()));
    } else if (node.isDeletingDependents() && !wasDeletingDependents) {
      attemptAll(node, effects);
      effects.add(new GraphEffect.AttemptToDelete(node.uid()));
    }
    return effects;
  }

  /** An object was deleted. */
  synchronized List<GraphEffect> forget(ObjectReference object) {
    var effects = new ArrayList<GraphEffect>();
    var node = nodes.get(object.uid());
    if (node != null) {
      remove(node, object, effects);
    }
    return effects;
  }

  /**
   * The API server has no object with that UID at that place. An object that was observed at
   * another place stays. For a never observed owner whose dependents disagree about its place, the
   * next place is tried.
   */
  synchronized List<GraphEffect> findAbsent(ObjectReference place) {
    var effects = new ArrayList<GraphEffect>();
    var node = nodes.get(place.uid());
    if (node == null) {
      return effects;
    }
    if (!node.isVirtual()) {
      if (node.identity().equals(place)) {
        remove(node, place, effects);
      } else {
        attemptMatching(node, place, effects);
      }
      return effects;
    }
    var other = OwnerCoordinates.next(node, place);
    if (other.isEmpty() && !OwnerCoordinates.anyDisagrees(node, place)) {
      remove(node, place, effects);
      return effects;
    }
    attemptMatching(node, place, effects);
    if (other.isPresent() && node.identity().equals(place)) {
      node.identify(other.get());
    }
    return effects;
  }

  /**
   * The object's type is no longer served, so the object cannot be observed. If it has dependents,
   * it becomes virtual.
   */
  synchronized List<GraphEffect> lose(ObjectReference object) {
    var effects = new ArrayList<GraphEffect>();
    var node = nodes.get(object.uid());
    if (node == null || !node.identity().equals(object)) {
      return effects;
    }
    if (node.dependentCount() == 0) {
      remove(node, object, effects);
      return effects;
    }
    changeOwners(node, List.of(), effects);
    node.setVirtual(true);
    effects.add(new GraphEffect.AttemptToDelete(node.uid()));
    return effects;
  }

  private void remove(Node node, ObjectReference place, List<GraphEffect> effects) {
    nodes.remove(node.uid());
    for (var reference : node.owners()) {
      var owner = nodes.get(reference.uid());
      if (owner != null) {
        release(owner, node);
        attemptUnblocked(owner, effects);
      }
    }
    if (node.dependentCount() > 0) {
      absent.add(place);
    }
    attemptAll(node, effects);
  }

  /** Removes a virtual owner that no dependent names any more. */
  private void release(Node owner, Node dependent) {
    owner.release(dependent);
    if (owner.isVirtual() && owner.dependentCount() == 0) {
      nodes.remove(owner.uid());
    }
  }

  /** The first observation of an object that only dependents had named. */
  private static void becomeReal(Node node, ObjectReference observed, List<GraphEffect> effects) {
    if (!observed.equals(node.identity())) {
      for (var dependent : node.dependents()) {
        if (OwnerCoordinates.disagrees(dependent, observed)) {
          if (isElsewhere(observed, dependent)) {
            report(dependent, observed.uid(), effects);
          }
          effects.add(new GraphEffect.AttemptToDelete(dependent.uid()));
        }
      }
      node.identify(observed);
    }
    node.setVirtual(false);
  }

  private void changeOwners(Node node, List<OwnerReference> references, List<GraphEffect> effects) {
    var before = node.owners();
    if (before.equals(references)) {
      return;
    }
    node.own(references);
    for (var reference : before) {
      var owner = nodes.get(reference.uid());
      if (owner == null) {
        continue;
      }
      if (hasOwner(references, owner.uid())) {
        owner.adopt(node);
      } else {
        release(owner, node);
      }
      attemptUnblocked(owner, effects);
    }
    addToOwners(
        node,
        references.stream().filter(reference -> !hasOwner(before, reference.uid())).toList(),
        effects);
  }

  private static boolean hasOwner(List<OwnerReference> references, String uid) {
    return references.stream().anyMatch(reference -> reference.uid().equals(uid));
  }

  private void addToOwners(Node node, List<OwnerReference> references, List<GraphEffect> effects) {
    boolean doubtful = false;
    for (var reference : references) {
      var owner = nodes.get(reference.uid());
      if (owner == null) {
        owner = new Node(reference.in(node.identity().namespace()), true);
        nodes.put(owner.uid(), owner);
        owner.adopt(node);
        effects.add(new GraphEffect.AttemptToDelete(owner.uid()));
        continue;
      }
      owner.adopt(node);
      if (isElsewhere(owner.identity(), node)) {
        if (!owner.isVirtual()) {
          report(node, owner.uid(), effects);
        }
        doubtful = true;
      } else if (!reference.names(owner.identity()) || isOfUnknownScope(owner, node)) {
        doubtful = true;
      } else if (owner.isDeletingDependents()) {
        doubtful = true;
      }
    }
    if (doubtful) {
      effects.add(new GraphEffect.AttemptToDelete(node.uid()));
    }
  }

  /** Whether a cluster-scoped dependent named the owner first, so that its namespace is unknown. */
  private static boolean isOfUnknownScope(Node owner, Node dependent) {
    return owner.isVirtual()
        && !owner.identity().isNamespaced()
        && dependent.identity().isNamespaced();
  }

  private static boolean isElsewhere(ObjectReference owner, Node dependent) {
    return owner.isNamespaced() && !owner.namespace().equals(dependent.identity().namespace());
  }

  private static void report(Node dependent, String ownerUid, List<GraphEffect> effects) {
    dependent.owners().stream()
        .filter(owner -> owner.uid().equals(ownerUid))
        .findFirst()
        .ifPresent(
            owner ->
                effects.add(new GraphEffect.ReportInvalidNamespace(dependent.identity(), owner)));
  }

  private void attemptMatching(Node node, ObjectReference place, List<GraphEffect> effects) {
    boolean any = false;
    for (var dependent : node.dependents()) {
      if (OwnerCoordinates.agrees(dependent, place)) {
        any = true;
        effects.add(new GraphEffect.AttemptToDelete(dependent.uid()));
      }
    }
    if (any) {
      absent.add(place);
    }
  }

  private static void attemptAll(Node owner, List<GraphEffect> effects) {
    for (var dependent : owner.dependents()) {
      effects.add(new GraphEffect.AttemptToDelete(dependent.uid()));
    }
  }

  /** Only when its last blocking dependent goes, the owner has to be checked. */
  private static void attemptUnblocked(Node owner, List<GraphEffect> effects) {
    if (owner.isDeletingDependents() && owner.blocking() == 0) {
      effects.add(new GraphEffect.AttemptToDelete(owner.uid()));
    }
  }
}
