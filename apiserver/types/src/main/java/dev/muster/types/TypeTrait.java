package dev.muster.types;

/** Special treatment of a few resources that no general rule explains. */
public enum TypeTrait {
  /** Its objects do not count towards object count quotas. */
  NOT_COUNTED,
  /** A failed precondition of a delete is reported with the message of the store. */
  BRIEF_PRECONDITIONS,
  /** Applying the status of a missing object creates the object. */
  STATUS_CREATES,
  /** In paths, an object's name is its namespace: {@code /namespaces/x}. */
  OWN_NAMESPACE,
  /** Every server sets the status of a new object at once. */
  STATUS_AT_ONCE,
  /** Objects are stored as JSON where others are stored as protobuf. */
  KEPT_AS_JSON
}
