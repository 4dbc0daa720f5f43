package dev.muster.cli;

/** Which Muster this is. */
final class Version {
  private Version() {}

  static String text() {
    var built = Version.class.getPackage().getImplementationVersion();
    return "Muster " + (built == null ? "(not packaged)" : built) + ", serving Kubernetes v1.36";
  }
}
