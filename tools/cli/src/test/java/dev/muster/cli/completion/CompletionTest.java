package dev.muster.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Main;
import dev.muster.cli.command.CommandTree;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real bash completes with the script. */
class CompletionTest {
  @TempDir static Path folder;

  private static String script(String shell) {
    var out = new ByteArrayOutputStream();
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    new CommandTree(Main.commands(), new PrintStream(out, true, StandardCharsets.UTF_8), nowhere)
        .run("completion", shell);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What bash offers for the last of the words, which it has cut as it does. */
  private static List<String> complete(List<String> words) throws Exception {
    var file = Files.writeString(folder.resolve("muster.bash"), script("bash"));
    var line = words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    var program =
        "set -u; cd %s; source %s; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _muster; printf '%%s\\n' \"${COMPREPLY[@]-}\""
            .formatted(folder, file, line);
    var bash =
        new ProcessBuilder("bash", "--norc", "-c", program).redirectErrorStream(true).start();
    var said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    return said.lines().filter(text -> !text.isEmpty()).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "muster u|up",
        "muster help sta|status",
        "muster completion b|bash",
        "muster clusterset jo|join",
        "muster up --serv|--servers=",
        "muster up -- --event-t|--event-ttl=",
        "muster up -- --concurrent-gc|--concurrent-gc-syncs=",
        "muster apiserver --anonymous-a|--anonymous-auth",
        "muster apiserver --anonymous-auth = f|false",
        "muster apiserver --anonymous-auth=f|false",
        "muster apiserver --anonymous-auth --event-t|--event-ttl=",
        "muster apiserver --client-ca-file = muster.b|muster.bash",
        "muster apiserver --client-ca-file muster.b|muster.bash",
        "muster status --outp|--output=",
      })
  void bashCompletes(String line, String completed) throws Exception {
    assertThat(complete(List.of(line.split(" ")))).containsExactly(completed);
  }

  @Test
  void bashOffersAllCommandsAndFilesAfterAnEqualsSign() throws Exception {
    assertThat(complete(List.of("muster", "")))
        .contains("up", "apiserver", "version", "help", "completion")
        .doesNotContain("rehearse");
    assertThat(complete(List.of("muster", "apiserver", "--client-ca-file", "=")))
        .contains("muster.bash");
    assertThat(complete(List.of("muster", "up", "--event-t"))).isEmpty();
    assertThat(complete(List.of("muster", "apiserver", "--event-ttl", "5"))).isEmpty();
  }

  @Test
  void zshUsesTheScriptForBash() {
    assertThat(script("zsh"))
        .startsWith("#compdef muster\nautoload -U +X bashcompinit && bashcompinit\n")
        .endsWith(script("bash"));
  }

  @Test
  void fishKnowsEveryFlagWithItsHelp() {
    assertThat(script("fish"))
        .contains(
            "complete -c muster -n __fish_use_subcommand -a up -d 'Run a whole control plane",
            "-n '__fish_seen_subcommand_from apiserver' -l client-ca-file -r -F -d '",
            "-n '__fish_seen_subcommand_from up; and contains -- -- (commandline -opc)' -l"
                + " event-ttl -x -d '");
  }
}
