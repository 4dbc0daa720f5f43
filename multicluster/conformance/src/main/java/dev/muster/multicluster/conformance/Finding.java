package dev.muster.multicluster.conformance;

/**
 * The result of one requirement for one cluster.
 *
 * @param detail the observation, the violation, or why there was no observation
 */
public record Finding(String cluster, Requirement requirement, Result result, String detail) {
  /** The outcome. */
  public enum Result {
    PASS("PASS"),
    FAIL("FAIL"),
    /** The cluster showed no evidence, or the trial was not allowed. */
    NOT_OBSERVED("NOT OBSERVED"),
    /** The cluster implements nothing of the document. */
    NOT_IMPLEMENTED("NOT OBSERVED");

    private final String text;

    Result(String text) {
      this.text = text;
    }

    /** The text in reports. */
    public String text() {
      return text;
    }
  }

  /** Whether the finding makes the cluster non-conformant. */
  public boolean isViolation() {
    return result == Result.FAIL && requirement.isMust();
  }

  /** Whether there is no evidence in either direction. */
  boolean untold() {
    return result == Result.NOT_OBSERVED || result == Result.NOT_IMPLEMENTED;
  }
}
