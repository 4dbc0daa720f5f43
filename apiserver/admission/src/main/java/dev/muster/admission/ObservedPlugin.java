package dev.muster.admission;

import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;

/**
 * A plugin of the chain.
 *
 * @param name as the flags write it; "" for what is no plugin elsewhere, which nobody hears of
 * @param admits whether it ever changes requests, or refuses them before others do
 * @param validates whether it ever checks final objects
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
