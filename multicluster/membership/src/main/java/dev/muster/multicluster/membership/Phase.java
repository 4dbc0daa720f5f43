package dev.muster.multicluster.membership;

/** The phase of a claim. */
public enum Phase {
  /** The cluster holds the ID in this set; it does not show the membership yet. */
  JOINING("Joining"),
  /** The cluster is a member. */
  JOINED("Joined"),
  /** The cluster is no longer a member; it may still show the membership briefly. */
  LEAVING("Leaving");

  private final String text;

  Phase(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** A claim without phase is new. */
  static Phase of(String text) {
    for (var phase : values()) {
      if (phase.text.equals(text)) {
        return phase;
      }
    }
    return JOINING;
  }
}
