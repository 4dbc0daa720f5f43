package dev.muster.types;

/** Where a few resources are treated in a way of their own for no reason that others share. */
public enum TypeTrait {
  /** Its objects take up no quota. */
  NOT_COUNTED,
  /** A precondition of a delete that does not hold is refused in the words of the store. */
  BRIEF_PRECONDITIONS,
  /** Applying the status of an object that is not there creates it. */
  STATUS_CREATES,
  /** An object's name is its namespace in paths: {@code /namespaces/x}. */
  OWN_NAMESPACE,
  /** Every server says at once, in the status of a new object, what becomes of it. */
  STATUS_AT_ONCE,
  /** Its objects are kept as JSON where others are kept as protobuf. */
  KEPT_AS_JSON
}
