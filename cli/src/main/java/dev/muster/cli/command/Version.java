package dev.muster.cli.command;

/** Which Muster this is. */
public final class Version {
  private Version() {}

  public static String text() {
    var built = Version.class.getPackage().getImplementationVersion();
    return "Muster " + (built == null ? "(not packaged)" : built) + ", serving Kubernetes v1.36";
  }
}
