package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.MusterCommand;
import dev.muster.testing.FreePorts;
import dev.muster.testing.NeedsProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page on clusters that know who they are, typed by a reader from its top to its end. */
@Tag("slow")
@NeedsProgram("kubectl")
@NeedsProgram("dig")
class MulticlusterPageTest {
  private static final Path PAGE = Path.of("../../docs/tasks/clusterset.md");
  private static final String END = "@@@ end of command: ";

  @TempDir private Path folder;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void everyCommandDoesWhatThePageShows() throws Exception {
    var steps = ConsolePage.read(PAGE).steps();
    assertThat(steps).hasSizeGreaterThan(10);
    writeMuster();
    var shell =
        new ProcessBuilder("bash", "--noprofile", "--norc")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    try (var out = shell.inputReader(StandardCharsets.UTF_8);
        var in = shell.outputWriter(StandardCharsets.UTF_8)) {
      // Whoever runs the test may have a server on the page's port.
      var port = String.valueOf(FreePorts.find(1).getFirst());
      try {
        for (var step : steps) {
          in.write(step.command().replace("5353", port) + "\necho '" + END + "'$?\n");
          in.flush();
          var seen = output(out);
          assertThat(ConsolePage.comparable(seen))
              .as("%s\nsays\n%s", step.command(), String.join("\n", seen))
              .isEqualTo(ConsolePage.comparable(step.output()));
        }
      } finally {
        in.write("kill -9 $(jobs -p); wait\nexit\n");
        in.flush();
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  private static List<String> output(BufferedReader out) throws IOException {
    var lines = new ArrayList<String>();
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(END)) {
        assertThat(line).as("exit code after %s", lines).isEqualTo(END + "0");
        return lines;
      }
      lines.add(line);
    }
    throw new AssertionError("the shell ended: " + lines);
  }

  /** The command as the page calls it. */
  private void writeMuster() throws IOException {
    var java =
        MusterCommand.ofHeap("-Xmx384m").stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    var file = Files.writeString(folder.resolve("muster"), "#!/bin/sh\nexec " + java + " \"$@\"\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
