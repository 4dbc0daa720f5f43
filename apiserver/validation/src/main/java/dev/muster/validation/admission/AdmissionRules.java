package dev.muster.validation.admission;

import dev.muster.validation.FieldCursor;

/** The strategies of webhook configurations and admission policies. */
final class AdmissionRules {
  private static final String STATIC_SUFFIX = ".static.k8s.io";

  private AdmissionRules() {}

  /** Names that belong to configuration out of files. */
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
