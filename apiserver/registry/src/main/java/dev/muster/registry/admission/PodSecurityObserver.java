package dev.muster.registry.admission;

/** Hears what Pod Security Standards say about pods. Safe for any thread. */
public interface PodSecurityObserver {
  /** Hears nothing. */
  PodSecurityObserver NONE = new PodSecurityObserver() {};

  /**
   * What a request was about.
   *
   * @param pod whether it is a pod itself, and no object that makes pods
   */
  record Subject(AdmissionOperation operation, boolean pod, String subresource) {}

  /**
   * A pod was held against a standard.
   *
   * @param version as labels of namespaces write it, or future
   * @param mode enforce, audit or warn
   */
  default void evaluated(
      boolean allowed, String level, String version, String mode, Subject subject) {}

  /** Nobody looked at a pod, as the configuration has it. */
  default void exempted(Subject subject) {}

  /** The labels of the namespace are no standards, and the strictest one is enforced instead. */
  default void unreadable(Subject subject) {}
}
