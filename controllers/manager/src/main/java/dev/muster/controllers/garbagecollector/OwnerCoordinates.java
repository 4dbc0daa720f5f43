package dev.muster.controllers.garbagecollector;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** Where the dependents of one owner say that it is; they may contradict each other. */
final class OwnerCoordinates {
  /** By type before namespace, so that one type's places stand together. */
  private static final Comparator<ObjectReference> ORDER =
      Comparator.comparing(ObjectReference::kind)
          .thenComparing(ObjectReference::apiVersion)
          .thenComparing(ObjectReference::namespace)
          .thenComparing(ObjectReference::name)
          .thenComparing(ObjectReference::uid);

  private OwnerCoordinates() {}

  /** Whether a dependent can mean an owner in that place. */
  static boolean agrees(Node dependent, ObjectReference place) {
    return reaches(dependent, place)
        && dependent.owners().stream().anyMatch(owner -> owner.names(place));
  }

  /** Whether a dependent means an owner of that uid in another place. */
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

  /** The place after this one that any dependent means, around in a circle. */
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

  /** A type that has one place without a namespace has no place with one. */
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
