package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.command.CommandTree;
import dev.muster.cli.status.StatusCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code muster status} prints, run in the process of the test. */
final class StatusOutput {
  private StatusOutput() {}

  static String of(Path kubeconfig, String... flags) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    var words = new ArrayList<>(List.of("status", "--kubeconfig=" + kubeconfig));
    words.addAll(List.of(flags));
    int code =
        new CommandTree(List.of(new StatusCommand()), stream, stream)
            .run(words.toArray(String[]::new));
    var text = out.toString(StandardCharsets.UTF_8);
    assertThat(code).as(text).isZero();
    return text;
  }
}
