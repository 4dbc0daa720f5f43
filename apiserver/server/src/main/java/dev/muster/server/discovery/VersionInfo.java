package dev.muster.server.discovery;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.build.BuildInfo;
import java.util.Locale;

/** The document of {@code /version}: the served Kubernetes version. */
public final class VersionInfo {
  static final String MINOR = "36";

  /** The Kubernetes version. */
  public static final String SERVED = "1." + MINOR;

  /** The version without its leading letter. */
  public static final String BINARY = SERVED + ".4+muster";

  static final String GIT_VERSION = "v" + BINARY;

  private VersionInfo() {}

  public static JsonObject document() {
    var build = BuildInfo.current();
    return JsonObject.builder()
        .put("major", "1")
        .put("minor", MINOR)
        .put("emulationMajor", "1")
        .put("emulationMinor", MINOR)
        .put("minCompatibilityMajor", "1")
        .put("minCompatibilityMinor", "35")
        .put("gitVersion", GIT_VERSION)
        .put("gitCommit", build.commit())
        .put("gitTreeState", build.treeState())
        .put("buildDate", build.date())
        .put("goVersion", "")
        .put("compiler", "javac")
        .put("platform", platform())
        .build();
  }

  private static String platform() {
    var machine = System.getProperty("os.arch", "");
    var architecture =
        switch (machine) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> machine;
        };
    var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return system.replace("mac os x", "darwin") + "/" + architecture;
  }
}
