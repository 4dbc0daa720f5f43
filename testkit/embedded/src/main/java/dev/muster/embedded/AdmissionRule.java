package dev.muster.embedded;

/** Looks at writes, as an admission webhook does. Called on the threads of requests, by several. */
@FunctionalInterface
public interface AdmissionRule {
  /** Lets the write pass as it is, changes it, or refuses it. */
  void review(WriteReview review);
}
