package dev.muster.validation.admission;

import dev.muster.validation.FieldCursor;

/** Rules common to webhook configurations and admission policies. */
final class AdmissionRules {
  private static final String STATIC_SUFFIX = ".static.k8s.io";

  private AdmissionRules() {}

  /** Warns about names that are reserved for configuration from files. */
  static void reservedName(FieldCursor object) {
    if (object.at("metadata", "name").text().endsWith(STATIC_SUFFIX)) {
      object.warn(
          "metadata.name: names ending with \""
              + STATIC_SUFFIX
              + "\" are reserved for static manifest-based configurations and cannot be managed"
              + " via the API");
    }
  }
}
