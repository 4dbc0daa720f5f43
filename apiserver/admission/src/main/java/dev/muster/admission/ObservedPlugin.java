package dev.muster.admission;

import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;

/**
 * A plugin in the chain, with its name for metrics.
 *
 * @param name as in flags; "" for a part of the chain that is no plugin upstream and has no metrics
 * @param admits whether it can change requests, or refuse them in the mutating phase
 * @param validates whether it can check final objects
 */
record ObservedPlugin(String name, Admission admission, boolean admits, boolean validates) {

  static ObservedPlugin of(String name, Admission admission) {
    return new ObservedPlugin(
        name, admission, overrides(admission, "admit"), overrides(admission, "validate"));
  }

  private static boolean overrides(Admission admission, String method) {
    try {
      return admission.getClass().getMethod(method, AdmissionRequest.class).getDeclaringClass()
          != Admission.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
