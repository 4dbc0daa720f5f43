package dev.muster.embedded;

import dev.muster.pki.CertificateNames;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.KubeconfigFile;
import dev.muster.pki.Pem;
import dev.muster.pki.PkiFolder;
import dev.muster.runtime.ClusterControllers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The keys and the administrator's token of one cluster, in a folder that is deleted when this is
 * closed. Certificates use the system's clock, because clients verify them by it, even if a test
 * moves the cluster's clock.
 */
record ClusterCredentials(Path folder, PkiFolder pki, String token) implements AutoCloseable {
  private static final String NAME = "muster";
  private static final Duration LIFE = Duration.ofDays(3650);
  private static final SecureRandom RANDOM = new SecureRandom();

  static ClusterCredentials create() {
    try {
      var folder = Files.createTempDirectory("muster-");
      var bytes = new byte[16];
      RANDOM.nextBytes(bytes);
      var token = HexFormat.of().formatHex(bytes);
      var pki = PkiFolder.open(folder, InstantSource.system());
      var made = new ClusterCredentials(folder, pki, token);
      pki.server(
          "apiserver", CertificateNames.ofServer("", List.of(InetAddress.ofLiteral("127.0.0.1"))));
      Pem.write(made.tokenKey(), Pem.of(GeneratedKeys.p256()));
      Pem.write(made.tokens(), token + ",kubernetes-admin,,\"system:masters\"\n");
      made.forgetAtExit();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path certificate() {
    return folder.resolve("apiserver.crt");
  }

  Path certificateKey() {
    return folder.resolve("apiserver.key");
  }

  /** The key that signs service account tokens. */
  Path tokenKey() {
    return folder.resolve("sa.key");
  }

  /** The static token file. */
  Path tokens() {
    return folder.resolve("tokens.csv");
  }

  String authority() {
    return Pem.of(pki.authority().certificate());
  }

  /** The administrator's kubeconfig. */
  String kubeconfig(String url) {
    return KubeconfigFile.of(
        NAME, url, List.of(pki.authority().certificate()), "kubernetes-admin", token);
  }

  /** The settings for the controllers. */
  ClusterControllers.Cluster cluster(String url) {
    return new ClusterControllers.Cluster(url, authority(), token, tokenKey());
  }

  /** A kubeconfig for another user, with a client certificate that outlives every cluster. */
  String kubeconfig(String url, String user, List<String> groups) {
    var identity = pki.authority().client(user, groups, Instant.now(), LIFE);
    return KubeconfigFile.of(NAME, url, List.of(pki.authority().certificate()), "user", identity);
  }

  /** A kubeconfig with a bearer token. */
  String kubeconfig(String url, String bearer) {
    return KubeconfigFile.of(NAME, url, List.of(pki.authority().certificate()), "user", bearer);
  }

  Path write(String name, String text) {
    var file = folder.resolve(name);
    Pem.write(file, text);
    file.toFile().deleteOnExit();
    return file;
  }

  /** Deletes the folder when the JVM ends without closing the cluster. */
  private void forgetAtExit() throws IOException {
    folder.toFile().deleteOnExit();
    try (var files = Files.list(folder)) {
      files.forEach(file -> file.toFile().deleteOnExit());
    }
  }

  @Override
  public void close() {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
