package dev.muster.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTargetTest {
  @TempDir private Path folder;

  @Test
  void readsDataAndFilesBesideIt() throws IOException {
    Files.writeString(folder.resolve("ca.crt"), "the authority");
    var file =
        write(
            """
            clusters:
            - {name: other, cluster: {server: "https://other"}}
            - name: here
              cluster: {server: "https://127.0.0.1:6443", certificate-authority: ca.crt}
            users:
            - name: me
              user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}
            - {name: you, user: {token: secret}}
            contexts:
            - {name: one, context: {cluster: here, user: me}}
            - {name: two, context: {cluster: other, user: you}}
            current-context: one
            """);
    var one = BenchTarget.read(file, null);
    assertThat(one.server()).isEqualTo(URI.create("https://127.0.0.1:6443"));
    assertThat(one.authority()).asString(StandardCharsets.UTF_8).isEqualTo("the authority");
    assertThat(one.certificate()).asString(StandardCharsets.UTF_8).isEqualTo("cert");
    assertThat(one.key()).asString(StandardCharsets.UTF_8).isEqualTo("key");
    assertThat(one.token()).isNull();
    var two = BenchTarget.read(file, "two");
    assertThat(two.server()).isEqualTo(URI.create("https://other"));
    assertThat(two.token()).isEqualTo("secret");
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    refuses(write("[1]"), "is not a kubeconfig file");
    refuses(write("kind: Config"), "has no current context");
    refuses(write("current-context: a"), "no context is named \"a\"");
    refuses(folder.resolve("nothing"), "cannot be read");
    refuses(
        write(
            """
            clusters: [{name: c, cluster: {server: "https://x"}}]
            users: [{name: u, user: {exec: {command: login}}}]
            contexts: [{name: a, context: {cluster: c, user: u}}]
            current-context: a
            """),
        "credential plugins are not supported");
  }

  private void refuses(Path file, String message) {
    assertThatThrownBy(() -> BenchTarget.read(file, null))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining(message);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }
}
