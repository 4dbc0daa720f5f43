package dev.muster.admission.policy;

import dev.muster.model.status.Reason;

/**
 * Why a request does not pass a policy.
 *
 * @param index of the validation that failed
 * @param nanos that it took to find out
 */
record PolicyDecision(int index, String message, Reason reason, long nanos) {

  /** A policy that could not be evaluated, and does not let such requests pass. */
  static PolicyDecision failed(int index, String problem, long nanos) {
    return new PolicyDecision(index, problem, Reason.INVALID, nanos);
  }
}
