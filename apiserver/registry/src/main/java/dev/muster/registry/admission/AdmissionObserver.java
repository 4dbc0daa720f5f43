package dev.muster.registry.admission;

/** Receives the durations and results of admission, for metrics. Thread-safe. */
public interface AdmissionObserver {
  /** Ignores everything. */
  AdmissionObserver NONE = new AdmissionObserver() {};

  /** Whether admission mutates or validates the request. */
  enum Step {
    ADMIT,
    VALIDATE
  }

  /** The result of a webhook call. */
  enum WebhookOutcome {
    ALLOWED,
    DENIED,
    /** The call failed, and the request fails because of it. */
    FAILED,
    /** The call failed, and the request continues because of the failure policy. */
    IGNORED,
    /** The webhook answered, but the response is invalid, so the request fails. */
    UNUSABLE
  }

  /** All plugins of this step have run, or one of them has refused the request. */
  default void step(Step step, AdmissionOperation operation, boolean rejected, long nanos) {}

  default void plugin(
      String name, Step step, AdmissionOperation operation, boolean rejected, long nanos) {}

  /**
   * @param code the HTTP code of the response or of the error; 0 when there is none
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
   * @param errors how many conditions failed to evaluate
   * @param excluded whether a condition excludes the request
   */
  default void conditions(
      String name,
      String kind,
      Step step,
      AdmissionOperation operation,
      int errors,
      boolean excluded,
      long nanos) {}

  /** The observer of Pod Security checks. */
  default PodSecurityObserver podSecurity() {
    return PodSecurityObserver.NONE;
  }

  /**
   * An expression of a validating policy was false or failed to evaluate.
   *
   * @param action the resulting action: allow, deny, warn or audit
   */
  default void validated(
      String policy, String binding, String problem, String action, long nanos) {}

  /**
   * A mutating policy was applied.
   *
   * @param problem why it failed, or ""
   */
  default void mutated(String policy, String binding, String problem, long nanos) {}
}
