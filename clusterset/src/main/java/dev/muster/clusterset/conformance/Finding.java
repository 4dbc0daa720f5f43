package dev.muster.clusterset.conformance;

/**
 * How one cluster does with one requirement.
 *
 * @param detail what was seen; "" where there is nothing to say
 */
public record Finding(String cluster, Requirement requirement, Result result, String detail) {
  /** How it went. */
  public enum Result {
    PASSED,
    FAILED,
    /** It could not be told, or was not allowed to be tried. */
    SKIPPED,
    /** Nothing of the document was found. */
    NOT_IMPLEMENTED
  }

  /** Whether the cluster does not conform because of it. */
  public boolean isViolation() {
    return result == Result.FAILED && requirement.isMust();
  }

  /** Whether it says nothing about the cluster, good or bad. */
  boolean untold() {
    return result == Result.SKIPPED || result == Result.NOT_IMPLEMENTED;
  }
}
