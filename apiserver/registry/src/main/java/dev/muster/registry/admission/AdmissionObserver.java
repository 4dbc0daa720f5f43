package dev.muster.registry.admission;

/** Hears how long those who admit requests take, and what comes of it. Safe for any thread. */
public interface AdmissionObserver {
  /** Hears nothing. */
  AdmissionObserver NONE = new AdmissionObserver() {};

  /** Whether a request is being changed or checked. */
  enum Step {
    ADMIT,
    VALIDATE
  }

  /** What came of asking a webhook. */
  enum WebhookOutcome {
    ALLOWED,
    DENIED,
    /** It could not be asked, and the request fails for that. */
    FAILED,
    /** It could not be asked, and the request goes on without it. */
    IGNORED,
    /** It was asked, and the request cannot go on with what it said. */
    UNUSABLE
  }

  /** All plugins have had their turn, or one of them has refused. */
  default void step(Step step, AdmissionOperation operation, boolean rejected, long nanos) {}

  default void plugin(
      String name, Step step, AdmissionOperation operation, boolean rejected, long nanos) {}

  /**
   * @param code the HTTP code of the answer, or of what went wrong; 0 when there is none
   */
  default void webhook(
      String name,
      Step step,
      AdmissionOperation operation,
      WebhookOutcome outcome,
      int code,
      long nanos) {}

  /**
   * The match conditions of a webhook or policy were evaluated.
   *
   * @param kind webhook or policy
   * @param errors how many conditions could not be evaluated
   * @param excluded whether the request does not concern it, as one of them says
   */
  default void conditions(
      String name,
      String kind,
      Step step,
      AdmissionOperation operation,
      int errors,
      boolean excluded,
      long nanos) {}

  /** Who hears what Pod Security Standards say. */
  default PodSecurityObserver podSecurity() {
    return PodSecurityObserver.NONE;
  }

  /**
   * An expression of a validating policy did not hold or could not be evaluated.
   *
   * @param action what followed: allow, deny, warn or audit
   */
  default void validated(
      String policy, String binding, String problem, String action, long nanos) {}

  /**
   * A mutating policy had its turn.
   *
   * @param problem why it could not do its work, or ""
   */
  default void mutated(String policy, String binding, String problem, long nanos) {}
}
