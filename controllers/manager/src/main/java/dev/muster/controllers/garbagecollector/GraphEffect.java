package dev.muster.controllers.garbagecollector;

/** The follow-up work of a graph change. */
sealed interface GraphEffect {
  /** Check whether the object must or may be deleted. */
  record AttemptToDelete(String uid) implements GraphEffect {}

  /** Orphan the object's dependents. */
  record AttemptToOrphan(String uid) implements GraphEffect {}

  /** Report that the object names an owner in another namespace. */
  record ReportInvalidNamespace(ObjectReference dependent, OwnerReference owner)
      implements GraphEffect {}
}
