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
 * The keys and the administrator's token of one cluster, in a folder of their own that is gone when
 * this is closed. Certificates are made by the system's clock, because clients look at them by it,
 * however far a test moves the cluster's.
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

  /** Signs service account tokens. */
  Path tokenKey() {
    return folder.resolve("sa.key");
  }

  /** Says whose token it is. */
  Path tokens() {
    return folder.resolve("tokens.csv");
  }

  String authority() {
    return Pem.of(pki.authority().certificate());
  }

  /** For the administrator. */
  String kubeconfig(String url) {
    return KubeconfigFile.of(
        NAME, url, List.of(pki.authority().certificate()), "kubernetes-admin", token);
  }

  /** For the controllers. */
  ClusterControllers.Cluster cluster(String url) {
    return new ClusterControllers.Cluster(url, authority(), token, tokenKey());
  }

  /** For somebody else, who shows a certificate that outlives every cluster. */
  String kubeconfig(String url, String user, List<String> groups) {
    var identity = pki.authority().client(user, groups, Instant.now(), LIFE);
    return KubeconfigFile.of(NAME, url, List.of(pki.authority().certificate()), "user", identity);
  }

  /** For somebody who shows a token. */
  String kubeconfig(String url, String bearer) {
    return KubeconfigFile.of(NAME, url, List.of(pki.authority().certificate()), "user", bearer);
  }

  Path write(String name, String text) {
    var file = folder.resolve(name);
    Pem.write(file, text);
    file.toFile().deleteOnExit();
    return file;
  }

  /** For those who end the process without closing their clusters. */
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
