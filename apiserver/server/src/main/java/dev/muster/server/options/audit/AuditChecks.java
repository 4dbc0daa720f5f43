package dev.muster.server.options.audit;

/** Checks audit options, with the messages of kube-apiserver. */
final class AuditChecks {
  private AuditChecks() {}

  static void positive(String what, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(what + value + ", must be a positive number");
    }
  }

  /**
   * @throws IllegalArgumentException for any version but the one that is written
   */
  static void version(String version) {
    if (!version.equals("audit.k8s.io/v1")) {
      throw new IllegalArgumentException(
          "invalid group version, allowed versions are [\"audit.k8s.io/v1\"]");
    }
  }
}
