package dev.muster.controllers.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Pem;
import dev.muster.testing.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewedCredentialsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;
  private Path file;
  private long now;
  private int reads;
  private long written;

  @BeforeEach
  void name() {
    file = folder.resolve("token");
  }

  /** Files that are written within one tick of the disk's clock differ all the same. */
  private void write(Path path, String text) throws IOException {
    Files.writeString(path, text);
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000_000L + 1000 * ++written));
  }

  private RenewedCredentials credentials() {
    return new RenewedCredentials(
        () -> {
          reads++;
          try {
            return new RenewedCredentials.Credentials(Files.readString(file), null, List.of(file));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        },
        () -> now);
  }

  @Test
  void filesAreReadWhenTheyHaveChangedAndNotBeforeEachRequest() throws IOException {
    write(file, "first");
    var credentials = credentials();
    for (int i = 0; i < 1000; i++) {
      now += SECOND / 10;
      assertThat(credentials.getToken()).isEqualTo("first");
    }
    assertThat(reads).isEqualTo(1);
    write(file, "second");
    now += SECOND;
    assertThat(credentials.getToken()).isEqualTo("second");
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void aFileThatCannotBeReadChangesNothing() throws IOException {
    write(file, "first");
    var credentials = credentials();
    Files.delete(file);
    now += SECOND;
    assertThat(credentials.getToken()).isEqualTo("first");
    write(file, "second");
    now += SECOND;
    assertThat(credentials.getToken()).isEqualTo("second");
  }

  private Path kubeconfig(String user) throws IOException {
    var kubeconfig = folder.resolve("kubeconfig");
    write(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: k, user: u}}]
        clusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]
        users: [{name: u, user: {%s}}]
        """
            .formatted(user));
    return kubeconfig;
  }

  @Test
  void tokensStandInTheKubeconfigOrInAFileOfTheirOwn() throws IOException {
    assertThat(RenewedCredentials.of(kubeconfig("token: t")).orElseThrow().getToken())
        .isEqualTo("t");
    write(file, "from-a-file\n");
    assertThat(
            RenewedCredentials.of(kubeconfig("token: t, tokenFile: token"))
                .orElseThrow()
                .getToken())
        .isEqualTo("from-a-file");
  }

  @Test
  void programsThatAreAskedForTokensAreAskedAsBefore() throws IOException {
    assertThat(
            RenewedCredentials.of(
                kubeconfig(
                    "exec: {apiVersion: client.authentication.k8s.io/v1, command: nothing,"
                        + " interactiveMode: Never}")))
        .isEmpty();
  }

  @Test
  void aNewConnectionShowsTheNewestCertificateWithItsOwnKey() throws IOException {
    var one = new TestCertificates(Files.createDirectory(folder.resolve("one"))).issue("one");
    var two = new TestCertificates(Files.createDirectory(folder.resolve("two"))).issue("two");
    var certificate = folder.resolve("client.crt");
    var key = folder.resolve("client.key");
    write(certificate, Files.readString(one.certificate()));
    write(key, key(one));
    var config = kubeconfig("client-certificate: client.crt, client-key: client.key");
    var credentials = RenewedCredentials.of(config).orElseThrow();
    var keys = new RenewedKeys(() -> credentials.now().keys());
    var alias = Objects.requireNonNull(keys.chooseEngineClientAlias(types(), null, null));
    assertThat(name(keys, alias)).isEqualTo("CN=one");
    write(certificate, Files.readString(two.certificate()));
    write(key, key(two));
    var later =
        Awaitility.await()
            .until(
                () -> keys.chooseEngineClientAlias(types(), null, null),
                chosen -> "CN=two".equals(name(keys, chosen)));
    assertThat(keys.getPrivateKey(Objects.requireNonNull(later)))
        .isNotEqualTo(keys.getPrivateKey(alias));
    assertThat(name(keys, alias)).as("a handshake that had begun").isEqualTo("CN=one");
  }

  /** In the form that the client reads. */
  private static String key(TestCertificates.Identity identity) throws IOException {
    return Pem.of(Pem.privateKey(Files.readString(identity.key())));
  }

  private static String[] types() {
    return new String[] {"EC", "RSA"};
  }

  private static String name(RenewedKeys keys, @Nullable String alias) {
    X509Certificate[] chain = alias == null ? null : keys.getCertificateChain(alias);
    return chain == null ? "" : chain[0].getSubjectX500Principal().getName();
  }
}
