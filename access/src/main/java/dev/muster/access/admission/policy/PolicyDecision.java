package dev.muster.access.admission.policy;

import dev.muster.model.status.Reason;

/**
 * Why a request does not pass a policy.
 *
 * @param index of the validation that failed
 */
record PolicyDecision(int index, String message, Reason reason) {

  /** A policy that could not be evaluated, and does not let such requests pass. */
  static PolicyDecision failed(int index, String problem) {
    return new PolicyDecision(index, problem, Reason.INVALID);
  }
}
