package dev.muster.schema.generator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * What {@code BuildInfo} of the runtime reads: the version, the commit, and the commit's date. No
 * time and no name of the machine is in it, so that the same commit gives the same bytes. {@code
 * SOURCE_DATE_EPOCH} takes the place of the commit's date where it is set.
 */
final class BuildStamp {
  private final Path project;

  /**
   * @param project the folder of one module, directly below the top of the clone
   */
  BuildStamp(Path project) {
    this.project = project;
  }

  String properties(String version, String sourceDateEpoch) {
    var commit = "";
    var state = "";
    var date = sourceDateEpoch.isEmpty() ? "" : date(sourceDateEpoch);
    // An unpacked archive may lie within a clone of something else.
    if (git("rev-parse", "--show-prefix").equals(List.of(project.getFileName() + "/"))) {
      var last = git("log", "-1", "--format=%H%n%ct");
      if (last.size() == 2) {
        commit = last.get(0);
        state = git("status", "--porcelain", "--untracked-files=no").isEmpty() ? "clean" : "dirty";
        date = date.isEmpty() ? date(last.get(1)) : date;
      }
    }
    return "version=%s\ncommit=%s\ntreeState=%s\ndate=%s\n".formatted(version, commit, state, date);
  }

  private static String date(String seconds) {
    return Instant.ofEpochSecond(Long.parseLong(seconds)).toString();
  }

  /** The lines that git prints; none where there is no git or no clone. */
  private List<String> git(String... arguments) {
    try {
      var out = Files.createTempFile("git", ".out");
      try {
        var command = new ProcessBuilder("git");
        command.command().addAll(List.of(arguments));
        var process =
            command
                .directory(project.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0 ? Files.readAllLines(out, StandardCharsets.UTF_8) : List.of();
      } finally {
        Files.delete(out);
      }
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
