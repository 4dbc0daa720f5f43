package dev.muster.multicluster.membership;

/** How far a claim has come. */
public enum Phase {
  /** The ID is the cluster's in this set; the cluster does not show the membership yet. */
  JOINING("Joining"),
  /** The cluster is a member. */
  JOINED("Joined"),
  /** The cluster is no member any more; it may still show the membership for a moment. */
  LEAVING("Leaving");

  private final String text;

  Phase(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** A claim that says nothing has only just been made. */
  static Phase of(String text) {
    for (var phase : values()) {
      if (phase.text.equals(text)) {
        return phase;
      }
    }
    return JOINING;
  }
}
