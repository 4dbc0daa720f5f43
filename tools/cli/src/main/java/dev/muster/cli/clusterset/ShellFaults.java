package dev.muster.cli.clusterset;

import dev.muster.multicluster.conformance.Faults;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Causes faults by the user's shell commands, which receive the server's ID as {@code $1} and its
 * address as {@code $2}. Not thread-safe. Blocks the caller.
 */
record ShellFaults(Map<Kind, String> commands, Duration patience) implements Faults {
  ShellFaults {
    commands = Map.copyOf(commands);
  }

  @Override
  public Set<Kind> possible() {
    return commands.keySet();
  }

  @Override
  public void cause(Kind kind, String id, String address, long seconds)
      throws InterruptedException {
    var command = commands.get(kind);
    if (command == null) {
      throw new IllegalStateException("there is no command for " + flag(kind));
    }
    try {
      var said = Files.createTempFile("muster-fault", ".txt");
      try {
        run(kind, List.of("sh", "-c", command, "muster", id, address, "" + seconds), said);
      } finally {
        Files.delete(said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The output goes to a file, because a background process of the command may keep a pipe open.
   */
  private void run(Kind kind, List<String> command, Path said)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "--%s has not ended within %d s".formatted(flag(kind), patience.toSeconds()));
    }
    if (process.exitValue() != 0) {
      var lines = new String(Files.readAllBytes(said), StandardCharsets.UTF_8).strip().lines();
      throw new IllegalStateException(
          "--%s ended with %d%s"
              .formatted(
                  flag(kind),
                  process.exitValue(),
                  lines.reduce((before, line) -> line).map(line -> ": " + line).orElse("")));
    }
  }

  private static String flag(Kind kind) {
    return switch (kind) {
      case KILL -> "kill-command";
      case PAUSE -> "pause-command";
      case RESUME -> "resume-command";
      case SKEW -> "skew-command";
    };
  }
}
