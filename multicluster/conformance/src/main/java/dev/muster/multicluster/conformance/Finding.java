package dev.muster.multicluster.conformance;

/**
 * How one cluster does with one requirement.
 *
 * @param detail what was observed, what is against it, or why nothing was observed
 */
public record Finding(String cluster, Requirement requirement, Result result, String detail) {
  /** How it went. */
  public enum Result {
    PASS("PASS"),
    FAIL("FAIL"),
    /** Nothing was seen that says whether it holds, or it was not allowed to be tried. */
    NOT_OBSERVED("NOT OBSERVED"),
    /** Nothing of the document was found, so that nothing of it could be observed. */
    NOT_IMPLEMENTED("NOT OBSERVED");

    private final String text;

    Result(String text) {
      this.text = text;
    }

    /** For people and programs. */
    public String text() {
      return text;
    }
  }

  /** Whether the cluster does not conform because of it. */
  public boolean isViolation() {
    return result == Result.FAIL && requirement.isMust();
  }

  /** Whether it says nothing about the cluster, good or bad. */
  boolean untold() {
    return result == Result.NOT_OBSERVED || result == Result.NOT_IMPLEMENTED;
  }
}
