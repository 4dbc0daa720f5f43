package dev.muster.schema.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Which build of Muster runs: its version, the commit that it was built from, and that commit's
 * date. The date is the commit's and not the build's, so that two builds of a commit are the same.
 *
 * @param version Muster's own version, such as {@code 0.1.0}
 * @param commit the full hash, empty when it was built outside a clone
 * @param treeState {@code clean}, or {@code dirty} when files differed from the commit; empty
 *     without a commit
 * @param date when the commit was made, in UTC, as in {@code 2026-01-31T12:00:00Z}; empty when
 *     unknown
 */
public record BuildInfo(String version, String commit, String treeState, String date) {
  /** Beside this class; written by {@code BuildStamp} of the schema generator. */
  private static final String RESOURCE = "build.properties";

  private static final BuildInfo CURRENT = load();

  /** The build that runs. */
  public static BuildInfo current() {
    return CURRENT;
  }

  /** The first characters of the commit, as people quote it. */
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
