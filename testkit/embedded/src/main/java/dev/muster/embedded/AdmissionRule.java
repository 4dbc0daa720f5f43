package dev.muster.embedded;

/** Reviews writes, like an admission webhook. The threads of requests call it concurrently. */
@FunctionalInterface
public interface AdmissionRule {
  /** Allows the write unchanged, changes it, or refuses it. */
  void review(WriteReview review);
}
