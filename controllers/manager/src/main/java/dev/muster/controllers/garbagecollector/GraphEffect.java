package dev.muster.controllers.garbagecollector;

/** What a change of the graph asks for. */
sealed interface GraphEffect {
  /** Look whether the object has to go, or may. */
  record AttemptToDelete(String uid) implements GraphEffect {}

  /** Set the object's dependents free. */
  record AttemptToOrphan(String uid) implements GraphEffect {}

  /** Tell that the object names an owner that lives in another namespace. */
  record ReportInvalidNamespace(ObjectReference dependent, OwnerReference owner)
      implements GraphEffect {}
}
