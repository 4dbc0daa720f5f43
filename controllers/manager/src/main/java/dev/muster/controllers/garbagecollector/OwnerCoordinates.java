package dev.muster.controllers.garbagecollector;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** The places at which dependents expect one owner; they may contradict each other. */
final class OwnerCoordinates {
  /** By type before namespace, so that the places of one type are adjacent. */
  private static final Comparator<ObjectReference> ORDER =
      Comparator.comparing(ObjectReference::kind)
          .thenComparing(ObjectReference::apiVersion)
          .thenComparing(ObjectReference::namespace)
          .thenComparing(ObjectReference::name)
          .thenComparing(ObjectReference::uid);

  private OwnerCoordinates() {}

  /** Whether a dependent may mean an owner at that place. */
  static boolean agrees(Node dependent, ObjectReference place) {
    return reaches(dependent, place)
        && dependent.owners().stream().anyMatch(owner -> owner.names(place));
  }

  /** Whether a dependent expects the owner with that UID at another place. */
  static boolean disagrees(Node dependent, ObjectReference place) {
    return !reaches(dependent, place)
        || dependent.owners().stream()
            .anyMatch(owner -> owner.uid().equals(place.uid()) && !owner.names(place));
  }

  static boolean anyDisagrees(Node owner, ObjectReference place) {
    for (var dependent : owner.dependents()) {
      if (disagrees(dependent, place)) {
        return true;
      }
    }
    return false;
  }

  /** The next place in a cyclic order that any dependent names. */
  static Optional<ObjectReference> next(Node owner, ObjectReference place) {
    var others = new TreeSet<>(ORDER);
    for (var dependent : owner.dependents()) {
      for (var reference : dependent.owners()) {
        boolean meant = reference.uid().equals(place.uid());
        if (meant && !(reference.names(place) && reaches(dependent, place))) {
          others.add(placeOf(reference, dependent, place));
        }
      }
    }
    others.remove(place);
    var following = others.higher(place);
    if (following != null) {
      return Optional.of(following);
    }
    return others.isEmpty() ? Optional.empty() : Optional.of(others.first());
  }

  /** A type that has one place without a namespace is cluster-scoped, so its places have none. */
  private static ObjectReference placeOf(
      OwnerReference reference, Node dependent, ObjectReference place) {
    boolean ofCluster =
        !place.isNamespaced()
            && reference.apiVersion().equals(place.apiVersion())
            && reference.kind().equals(place.kind());
    return reference.in(ofCluster ? "" : dependent.identity().namespace());
  }

  private static boolean reaches(Node dependent, ObjectReference place) {
    return !place.isNamespaced() || place.namespace().equals(dependent.identity().namespace());
  }
}
