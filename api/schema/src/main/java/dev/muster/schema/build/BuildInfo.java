package dev.muster.schema.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The version, commit and commit date of this build of Muster. The date is that of the commit and
 * not of the build, so that two builds of a commit are identical.
 *
 * @param version Muster's own version, such as {@code 0.1.0}
 * @param commit the full hash, empty for a build outside a clone
 * @param treeState {@code clean}, or {@code dirty} when files differed from the commit; empty
 *     without a commit
 * @param date the date of the commit in UTC, such as {@code 2026-01-31T12:00:00Z}; empty when
 *     unknown
 */
public record BuildInfo(String version, String commit, String treeState, String date) {
  /** A resource beside this class; {@code BuildStamp} of the schema generator writes it. */
  private static final String RESOURCE = "build.properties";

  private static final BuildInfo CURRENT = load();

  /** The running build. */
  public static BuildInfo current() {
    return CURRENT;
  }

  /** The abbreviated hash of the commit. */
  public String shortCommit() {
    return commit.substring(0, Math.min(12, commit.length()));
  }

  private static BuildInfo load() {
    var properties = new Properties();
    try (var in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        properties.getProperty("version", ""),
        properties.getProperty("commit", ""),
        properties.getProperty("treeState", ""),
        properties.getProperty("date", ""));
  }
}
