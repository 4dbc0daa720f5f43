package dev.muster.authorization;

/**
 * The decision of an authorizer about a request.
 *
 * @param reason as {@code SubjectAccessReview} shows it
 * @param error an error during evaluation, such as a binding to a missing role; "" for none
 */
public record Decision(Outcome outcome, String reason, String error) {
  /**
   * Only {@code ALLOW} lets the request continue; without an opinion the next authorizer decides.
   */
  public enum Outcome {
    ALLOW,
    DENY,
    NO_OPINION
  }

  public static final Decision NO_OPINION = new Decision(Outcome.NO_OPINION, "", "");

  public static Decision allow(String reason) {
    return new Decision(Outcome.ALLOW, reason, "");
  }

  public static Decision noOpinion(String reason, String error) {
    return new Decision(Outcome.NO_OPINION, reason, error);
  }

  public boolean allowed() {
    return outcome == Outcome.ALLOW;
  }
}
