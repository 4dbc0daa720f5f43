package dev.muster.registry.admission;

/** Receives the results of Pod Security checks, for metrics. Thread-safe. */
public interface PodSecurityObserver {
  /** Ignores everything. */
  PodSecurityObserver NONE = new PodSecurityObserver() {};

  /**
   * The request that was checked.
   *
   * @param pod whether the object is a pod; false for an object with a pod template
   */
  record Subject(AdmissionOperation operation, boolean pod, String subresource) {}

  /**
   * A pod was checked against a standard.
   *
   * @param version as in a namespace label, or future
   * @param mode enforce, audit or warn
   */
  default void evaluated(
      boolean allowed, String level, String version, String mode, Subject subject) {}

  /** An exemption in the configuration skipped the check. */
  default void exempted(Subject subject) {}

  /** The namespace's labels are invalid, so the restricted standard was enforced. */
  default void unreadable(Subject subject) {}
}
