package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.FreePorts;
import dev.muster.testing.TestCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread. Real {@code muster apiserver} processes on a real etcd cluster; each can be
 * killed and started again on its own port. All end with the test.
 */
final class EtcdFleet implements AutoCloseable {
  static final String TOKEN = "let-me-in";

  private final Path folder;
  private final EtcdCluster etcd;
  private final TestCertificates certificates;
  private final TestCertificates.Identity serving;
  private final List<Integer> ports;
  private final @Nullable ChildProcess[] servers;
  private final List<String> moreFlags;

  private EtcdFleet(Path folder, EtcdCluster etcd, int size, List<String> moreFlags)
      throws IOException {
    this.folder = folder;
    this.etcd = etcd;
    this.moreFlags = moreFlags;
    certificates = new TestCertificates(folder);
    serving = certificates.issue("serving");
    ports = FreePorts.find(size);
    servers = new ChildProcess[size];
    Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
  }

  /** That many API servers on that many etcd members; answers when all are ready. */
  static EtcdFleet start(Path folder, int servers, int members, String... moreFlags)
      throws IOException {
    var etcd = EtcdCluster.start(folder.resolve("etcd"), members);
    try {
      var fleet = new EtcdFleet(folder, etcd, servers, List.of(moreFlags));
      for (int i = 0; i < servers; i++) {
        fleet.startServer(i);
      }
      for (int i = 0; i < servers; i++) {
        fleet.awaitReady(i);
      }
      return fleet;
    } catch (IOException | RuntimeException | AssertionError e) {
      etcd.close();
      throw e;
    }
  }

  EtcdCluster etcd() {
    return etcd;
  }

  int size() {
    return servers.length;
  }

  String url(int server) {
    return "https://127.0.0.1:" + ports.get(server);
  }

  Path authority() {
    return certificates.authority();
  }

  /** Starts one that does not run, on the port it has always had. */
  void startServer(int index) {
    var flags =
        new ArrayList<>(
            List.of(
                "apiserver",
                "--etcd-servers=" + String.join(",", etcd.endpoints()),
                "--bind-address=127.0.0.1",
                "--secure-port=" + ports.get(index),
                "--tls-cert-file=" + serving.certificate(),
                "--tls-private-key-file=" + serving.key(),
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + serving.key(),
                "--service-account-key-file=" + serving.certificate(),
                "--authorization-mode=RBAC"));
    flags.addAll(moreFlags);
    servers[index] = Processes.muster(flags.toArray(String[]::new));
  }

  void awaitReady(int index) {
    try (var api = new HttpApi(url(index), authority())) {
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(
              () -> {
                var server = server(index);
                assertThat(server.isAlive()).as("output: %s", server.output()).isTrue();
                assertThat(api.get("/readyz").code()).isEqualTo(200);
              });
    }
  }

  ChildProcess server(int index) {
    var server = servers[index];
    if (server == null) {
      throw new IllegalStateException("server " + index + " was never started");
    }
    return server;
  }

  /** A kubeconfig with one context for each server: s0, s1, … */
  Path kubeconfig() {
    return kubeconfig(
        folder.resolve("kubeconfig"), IntStream.range(0, size()).mapToObj(this::url).toList());
  }

  /** The same for servers behind something else. */
  Path kubeconfig(Path file, List<String> urls) {
    try {
      var authority = Base64.getEncoder().encodeToString(Files.readAllBytes(authority()));
      var text = new StringBuilder("apiVersion: v1\nkind: Config\ncurrent-context: s0\n");
      text.append("users: [{name: admin, user: {token: ").append(TOKEN).append("}}]\nclusters:\n");
      for (int i = 0; i < urls.size(); i++) {
        text.append(
            "- {name: s%d, cluster: {server: '%s', certificate-authority-data: %s}}\n"
                .formatted(i, urls.get(i), authority));
      }
      text.append("contexts:\n");
      for (int i = 0; i < urls.size(); i++) {
        text.append("- {name: s%1$d, context: {cluster: s%1$d, user: admin}}\n".formatted(i));
      }
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    for (var server : servers) {
      if (server != null) {
        server.close();
      }
    }
    etcd.close();
  }
}
