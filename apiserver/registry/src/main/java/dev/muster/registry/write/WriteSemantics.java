package dev.muster.registry.write;

/**
 * What sets creates, updates, patches and applied configurations apart where objects are written.
 *
 * @param createsMissing whether an object that is not there is created
 * @param owners what becomes of the owners of the object's fields
 */
record WriteSemantics(Verb verb, boolean createsMissing, Owners owners) {

  /** Whether owners of fields follow from what is written, stand in it already, or are dropped. */
  enum Owners {
    TRACKED,
    TOLD,
    DROPPED
  }

  /** What a client asks for, with the kind of its options. */
  enum Verb {
    CREATE("CreateOptions"),
    UPDATE("UpdateOptions"),
    PATCH("PatchOptions");

    private final String optionsKind;

    Verb(String optionsKind) {
      this.optionsKind = optionsKind;
    }

    String optionsKind() {
      return optionsKind;
    }
  }

  static final WriteSemantics CREATE = new WriteSemantics(Verb.CREATE, true, Owners.TRACKED);
  static final WriteSemantics PATCH = new WriteSemantics(Verb.PATCH, false, Owners.TRACKED);

  static WriteSemantics put(boolean createsMissing) {
    return new WriteSemantics(Verb.UPDATE, createsMissing, Owners.TRACKED);
  }

  /** A configuration that is applied says itself who owns what. */
  static WriteSemantics apply(boolean createsMissing) {
    return new WriteSemantics(Verb.PATCH, createsMissing, Owners.TOLD);
  }

  /** A change of a workload's scale, whose owners are told in the scale itself. */
  static WriteSemantics scale(Verb verb) {
    return new WriteSemantics(verb, false, Owners.TOLD);
  }

  WriteSemantics withoutOwners() {
    return new WriteSemantics(verb, createsMissing, Owners.DROPPED);
  }

  /** Whether the object is replaced as a whole. */
  boolean replaces() {
    return verb == Verb.UPDATE;
  }

  boolean patches() {
    return verb == Verb.PATCH;
  }

  /** Whether a client asked for a new object, and not for the change of one. */
  boolean creates() {
    return verb == Verb.CREATE;
  }
}
