package dev.muster.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.clusterset.DnsCommand;
import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.cli.controllers.ControllerManagerCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a kubeconfig is said in one line, by every command that reads one. */
class StatusCommandTest {
  @TempDir private Path folder;

  private String run(Command command, Path kubeconfig) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        new CommandTree(
                List.of(command),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(command.name(), "--kubeconfig=" + kubeconfig);
    assertThat(code).isEqualTo(1);
    assertThat(out.size()).isZero();
    var text = err.toString(StandardCharsets.UTF_8);
    assertThat(text.lines()).as(text).hasSize(1);
    return text.strip().replace(folder.toString(), "…");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("config"), text.replace('|', '\n'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; …/config is empty",
        "'  | |'; …/config is empty",
        "'# nothing|'; …/config is empty",
        "'{]'; …/config is not a kubeconfig",
        "'just text'; …/config is not a kubeconfig",
        "'[1, 2]'; …/config is not a kubeconfig",
        "'clusters: 5'; …/config is not a kubeconfig",
        "'contexts: [null]'; …/config is not a kubeconfig",
        "'apiVersion: v1|kind: Config|'; …/config has no contexts",
      })
  void aFileThatIsNoKubeconfigIsNamed(String content, String problem) throws IOException {
    var file = file(content);
    assertThat(run(new StatusCommand(), file)).isEqualTo("muster status: --kubeconfig: " + problem);
    assertThat(run(new ControllerManagerCommand(), file))
        .isEqualTo("muster controller-manager: --kubeconfig: " + problem);
    assertThat(run(new DnsCommand(), file)).isEqualTo("muster dns: --kubeconfig: " + problem);
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws IOException {
    assertThat(run(new StatusCommand(), folder.resolve("none")))
        .isEqualTo("muster status: --kubeconfig: …/none does not exist");
    assertThat(run(new StatusCommand(), folder))
        .isEqualTo("muster status: --kubeconfig: … is a folder");
    var binary = Files.write(folder.resolve("binary"), new byte[] {0, (byte) 0xff, (byte) 0xfe});
    assertThat(run(new StatusCommand(), binary))
        .isEqualTo("muster status: --kubeconfig: …/binary is not a kubeconfig: it is not text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'current-context: x|';" + " has no context x that names a cluster",
        "'contexts: [{name: x}]|';" + " has no context x that names a cluster",
        "'contexts: [{name: x, context: {cluster: c}}]|';"
            + " has no server for the cluster c of context x",
        "'clusters: [{name: c, cluster: {server: not a url}}]|contexts: [{name: x, context:"
            + " {cluster: c}}]|';"
            + " has no http or https URL for the cluster c: not a url",
        "'clusters: [{name: c, cluster: {server: \"https://127.0.0.1:1\", certificate-authority:"
            + " ca.crt}}]|contexts: [{name: x, context: {cluster: c}}]|';"
            + " names …/ca.crt, which cannot be read",
      })
  void aContextThatLeadsNowhereIsNamed(String content, String problem) throws IOException {
    assertThat(run(new StatusCommand(), file(content)))
        .isEqualTo("muster status: no API server answers (x: …/config " + problem.strip() + ")");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamedWithTheReason() throws IOException {
    var file =
        file(
            "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]|"
                + "contexts: [{name: x, context: {cluster: c}}]|current-context: x|");
    assertThat(run(new StatusCommand(), file))
        .startsWith("muster status: no API server answers (x: ")
        .containsIgnoringCase("connection refused");
  }
}
