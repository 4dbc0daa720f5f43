package dev.muster.authentication.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.pki.Authority;
import dev.muster.pki.Pem;
import dev.muster.registry.webhook.WebhookAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    var shown =
        Authority.create("ca", Instant.now(), Duration.ofDays(1))
            .client("us", List.of(), Instant.now(), Duration.ofDays(1));
    var key = Pem.of(shown.key());
    Files.writeString(folder.resolve("us.crt"), Pem.of(shown.chain()));
    var found =
        client(
                "server: 'https://hook:8443/a/b', certificate-authority: ca.pem,"
                    + " tls-server-name: other",
                "client-certificate: us.crt, client-key-data: "
                    + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
                    + ", token: t")
            .now();
    assertThat(found.address().authority()).isEqualTo("hook:8443");
    assertThat(found.address().path()).isEqualTo("/a/b");
    assertThat(found.authorities()).isEqualTo("CA");
    assertThat(found.credentials().certificate()).isEqualTo(Pem.of(shown.chain()));
    assertThat(found.credentials().key()).isEqualTo(key);
    assertThat(found.credentials().serverName()).isEqualTo("other");
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

  @ParameterizedTest
  @CsvSource({"http://127.0.0.1/x, 80", "http://[::1]:8080, 8080", "http://localhost:81, 81"})
  void onThisMachineItMayDoWithoutTls(String url, int port) throws IOException {
    assertThat(client("server: '" + url + "'", "").now().address())
        .isInstanceOfSatisfying(
            WebhookAddress.Url.class,
            address -> {
              assertThat(address.isEncrypted()).isFalse();
              assertThat(address.port()).isEqualTo(port);
            });
  }

  @Test
  void whatItCannotDoIsRefusedByName() throws IOException {
    assertRefused("server: 'http://x'", "", "http is for this machine only, and \"x\" is not");
    assertRefused("server: 'http://192.0.2.1:80'", "", "http is for this machine only");
    assertRefused("server: 'ftp://127.0.0.1'", "", "unsupported protocol scheme \"ftp\"");
    assertRefused("", "", "server: ");
    assertRefused("server: 'https://x', proxy-url: 'http://p'", "", "proxy-url is not supported");
    assertRefused("server: 'https://x'", "exec: {command: x}", "exec is not supported");
    assertRefused("server: 'https://x', certificate-authority: none", "", "none does not exist");
    assertRefused(
        "server: 'https://x', insecure-skip-tls-verify: true, certificate-authority-data: eA==",
        "",
        "with the insecure flag is not allowed");
    assertRefused("server: 'https://x'", "client-key-data: eA==", "go together");
    assertRefused("server: 'https://x'", "client-key-data: '%'", "client-key-data: not base64");
    var empty = Files.writeString(folder.resolve("empty"), "kind: Config");
    assertThatThrownBy(() -> KubeconfigClient.of(empty, "hook", () -> now))
        .hasMessageContaining("no current-context is set");
    assertThat(client("server: 'https://x', insecure-skip-tls-verify: false", "")).isNotNull();
  }
}
