package dev.muster.authorization;

/**
 * What an authorizer thinks of a request.
 *
 * @param reason why, as {@code SubjectAccessReview} shows it
 * @param error what went wrong while looking, such as a binding to a missing role; "" for nothing
 */
public record Decision(Outcome outcome, String reason, String error) {
  /** Only an allowed request goes on; no opinion leaves the question to the next authorizer. */
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
