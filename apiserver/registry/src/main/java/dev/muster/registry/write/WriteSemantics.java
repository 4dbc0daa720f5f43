package dev.muster.registry.write;

/**
 * What distinguishes creates, updates, patches and applies when objects are written.
 *
 * @param createsMissing whether a missing object is created
 * @param owners how to treat managedFields
 */
record WriteSemantics(Verb verb, boolean createsMissing, Owners owners) {

  /** Whether managedFields follow from the write, are already in the object, or are dropped. */
  enum Owners {
    TRACKED,
    TOLD,
    DROPPED
  }

  /** The verb of the request, with the kind of its options. */
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

  /** A server-side apply sets the managedFields itself. */
  static WriteSemantics apply(boolean createsMissing) {
    return new WriteSemantics(Verb.PATCH, createsMissing, Owners.TOLD);
  }

  /** A write of a Scale, which contains the managedFields of the replicas. */
  static WriteSemantics scale(Verb verb) {
    return new WriteSemantics(verb, false, Owners.TOLD);
  }

  WriteSemantics withoutOwners() {
    return new WriteSemantics(verb, createsMissing, Owners.DROPPED);
  }

  /** Whether the whole object is replaced. */
  boolean replaces() {
    return verb == Verb.UPDATE;
  }

  boolean patches() {
    return verb == Verb.PATCH;
  }

  /** Whether the client requested a create, not an update. */
  boolean creates() {
    return verb == Verb.CREATE;
  }
}
