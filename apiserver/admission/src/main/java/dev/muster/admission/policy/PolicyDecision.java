package dev.muster.admission.policy;

import dev.muster.model.status.Reason;

/**
 * The denial of a request by a policy.
 *
 * @param index of the failed validation
 * @param nanos the time of the evaluation
 */
record PolicyDecision(int index, String message, Reason reason, long nanos) {

  /** The denial by a policy that could not be evaluated and has the failure policy {@code Fail}. */
  static PolicyDecision failed(int index, String problem, long nanos) {
    return new PolicyDecision(index, problem, Reason.INVALID, nanos);
  }
}
