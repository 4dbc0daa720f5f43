package dev.muster.cli.command;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.build.BuildInfo;
import dev.muster.server.discovery.VersionInfo;

/** The version and build of Muster. */
public final class Version {
  private static final String NOT_KNOWN = "not known";

  private Version() {}

  /** In one line. */
  public static String text() {
    var build = BuildInfo.current();
    var commit = build.shortCommit();
    return "Muster "
        + (build.version().isEmpty() ? "(not packaged)" : build.version())
        + (commit.isEmpty() ? "" : " (" + commit + ")")
        + ", serving Kubernetes v"
        + VersionInfo.SERVED;
  }

  /** All details, one per line. */
  public static String lines() {
    var build = BuildInfo.current();
    return """
    %s
    commit  %s%s
    date    %s
    Java    %s (%s)
    API     v%s\
    """
        .formatted(
            text(),
            orNotKnown(build.commit()),
            build.treeState().equals("dirty") ? ", with changes" : "",
            orNotKnown(build.date()),
            System.getProperty("java.version", NOT_KNOWN),
            System.getProperty("java.vendor", NOT_KNOWN),
            VersionInfo.SERVED);
  }

  /** All details as JSON. */
  public static JsonObject json() {
    var build = BuildInfo.current();
    return JsonObject.of(
        "version",
        build.version(),
        "gitCommit",
        build.commit(),
        "gitTreeState",
        build.treeState(),
        "buildDate",
        build.date(),
        "javaVersion",
        System.getProperty("java.version", ""),
        "javaVendor",
        System.getProperty("java.vendor", ""),
        "kubernetesVersion",
        "v" + VersionInfo.SERVED);
  }

  private static String orNotKnown(String text) {
    return text.isEmpty() ? NOT_KNOWN : text;
  }
}
