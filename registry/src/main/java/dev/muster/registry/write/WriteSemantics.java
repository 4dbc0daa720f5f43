package dev.muster.registry.write;

/**
 * What sets creates, updates, patches and applied configurations apart where objects are written.
 *
 * @param createsMissing whether an object that is not there is created
 * @param tracksFieldOwners whether the field manager's ownership is still to be tracked
 */
record WriteSemantics(Verb verb, boolean createsMissing, boolean tracksFieldOwners) {

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

  static final WriteSemantics CREATE = new WriteSemantics(Verb.CREATE, true, true);
  static final WriteSemantics PATCH = new WriteSemantics(Verb.PATCH, false, true);

  static WriteSemantics put(boolean createsMissing) {
    return new WriteSemantics(Verb.UPDATE, createsMissing, true);
  }

  /** A configuration that is applied says itself who owns what. */
  static WriteSemantics apply(boolean createsMissing) {
    return new WriteSemantics(Verb.PATCH, createsMissing, false);
  }

  /** A change of a workload's scale, whose owners are told in the scale itself. */
  static WriteSemantics scale(Verb verb) {
    return new WriteSemantics(verb, false, false);
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
