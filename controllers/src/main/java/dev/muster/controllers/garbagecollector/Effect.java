package dev.muster.controllers.garbagecollector;

/** What a change of the graph asks for. */
sealed interface Effect {
  /** Look whether the object has to go, or may. */
  record AttemptToDelete(String uid) implements Effect {}

  /** Set the object's dependents free. */
  record AttemptToOrphan(String uid) implements Effect {}

  /** Tell that the object names an owner that lives in another namespace. */
  record ReportInvalidNamespace(ObjectReference dependent, OwnerReference owner)
      implements Effect {}
}
