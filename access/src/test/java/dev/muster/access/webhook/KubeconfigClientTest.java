package dev.muster.access.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigClientTest {
  @TempDir private Path folder;
  private Instant now = Instant.EPOCH;

  private KubeconfigClient client(String cluster, String user) throws IOException {
    return KubeconfigClient.of(write(cluster, user), "hook", () -> now);
  }

  private Path write(String cluster, String user) throws IOException {
    return Files.writeString(
        folder.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: a, cluster: {server: "https://other"}}, {name: b, cluster: {%s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: c, context: {cluster: b, user: u}}]
        current-context: c
        """
            .formatted(cluster, user));
  }

  private void assertRefused(String cluster, String user, String message) {
    assertThatThrownBy(() -> client(cluster, user))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theCurrentContextCounts() throws IOException {
    Files.writeString(folder.resolve("ca.pem"), "CA");
    var found =
        client(
                "server: 'https://hook:8443/a/b', certificate-authority: ca.pem",
                "client-certificate-data: Q0VSVA==, client-key-data: S0VZ, token: t")
            .now();
    assertThat(found.address().authority()).isEqualTo("hook:8443");
    assertThat(found.address().path()).isEqualTo("/a/b");
    assertThat(found.authorities()).isEqualTo("CA");
    assertThat(found.credentials().certificate()).isEqualTo("CERT");
    assertThat(found.credentials().key()).isEqualTo("KEY");
    assertThat(found.credentials().authorization()).isEqualTo("Bearer t");
    assertThat(found.toString()).doesNotContain("KEY").doesNotContain("Bearer");
    assertThat(client("server: 'https://x'", "username: a, password: b").now().credentials())
        .satisfies(identity -> assertThat(identity.authorization()).isEqualTo("Basic YTpi"));
  }

  @Test
  void whatChangesIsReadAgainAndWhatIsGoneStays() throws IOException {
    var tokenFile = Files.writeString(folder.resolve("token"), "one\n");
    var client = client("server: 'https://x'", "tokenFile: token");
    assertThat(client.now().credentials().authorization()).isEqualTo("Bearer one");
    Files.writeString(tokenFile, "two");
    assertThat(client.now().credentials().authorization()).isEqualTo("Bearer one");
    now = now.plusSeconds(60);
    assertThat(client.now().credentials().authorization()).isEqualTo("Bearer two");
    Files.delete(tokenFile);
    now = now.plusSeconds(60);
    assertThat(client.now().credentials().authorization()).isEqualTo("Bearer two");
  }

  @Test
  void whatItCannotDoIsRefusedByName() throws IOException {
    assertRefused("server: 'http://x'", "", "unsupported protocol scheme \"http\"");
    assertRefused("", "", "server: ");
    assertRefused("server: 'https://x', proxy-url: 'http://p'", "", "proxy-url is not supported");
    assertRefused("server: 'https://x'", "exec: {command: x}", "exec is not supported");
    assertRefused("server: 'https://x', certificate-authority: none", "", "unable to read none");
    assertRefused("server: 'https://x'", "client-key-data: '%'", "client-key-data: not base64");
    var empty = Files.writeString(folder.resolve("empty"), "kind: Config");
    assertThatThrownBy(() -> KubeconfigClient.of(empty, "hook", () -> now))
        .hasMessageContaining("context \"\" does not exist");
    assertThat(client("server: 'https://x', insecure-skip-tls-verify: false", "")).isNotNull();
  }
}
