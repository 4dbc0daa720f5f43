package dev.muster.it.fleet;

import static org.awaitility.Awaitility.await;

import dev.muster.it.MusterCommand;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.Pem;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** API servers and controller managers as processes of their own, on a real etcd. */
final class ServerProcesses implements AutoCloseable {
  /** One API server; it keeps its port over restarts. */
  record Running(ChildProcess process, FleetApi api, int port) {}

  private final Path folder;
  private final EtcdCluster etcd;
  private final List<ChildProcess> processes = new ArrayList<>();
  private final List<String> common;

  ServerProcesses(Path folder, List<String> common) throws IOException {
    this.folder = folder;
    this.common = List.copyOf(common);
    FleetApi.writeTokens(folder);
    Files.writeString(folder.resolve("sa.key"), Pem.of(GeneratedKeys.p256().getPrivate()));
    etcd = EtcdCluster.start(folder.resolve("etcd"), 1);
  }

  EtcdCluster etcd() {
    return etcd;
  }

  /** Starts a server and waits until it is ready. */
  Running start(int port, String... flags) {
    var arguments = new ArrayList<String>();
    arguments.add("apiserver");
    arguments.add("--etcd-servers=" + String.join(",", etcd.endpoints()));
    arguments.add("--bind-address=127.0.0.1");
    if (List.of(flags).stream().noneMatch(flag -> flag.startsWith("--advertise-address="))) {
      arguments.add("--advertise-address=192.0.2.10");
    }
    arguments.add("--secure-port=" + port);
    arguments.add("--cert-dir=" + folder.resolve("pki-" + port));
    arguments.add("--token-auth-file=" + folder.resolve("tokens.csv"));
    arguments.add("--service-account-issuer=https://kubernetes.default.svc");
    arguments.add("--service-account-signing-key-file=" + folder.resolve("sa.key"));
    arguments.addAll(common);
    arguments.addAll(List.of(flags));
    var process = muster(arguments);
    var api = new FleetApi(port);
    await().atMost(Duration.ofSeconds(90)).until(() -> !process.isAlive() || api.ready());
    if (!process.isAlive()) {
      throw new AssertionError("the server ended: " + process.output());
    }
    return new Running(process, api, port);
  }

  Running start(String... flags) {
    return start(FreePorts.find(1).getFirst(), flags);
  }

  /** A controller manager that works with that server. */
  ChildProcess startControllers(Running server, String... flags) throws IOException {
    var arguments = new ArrayList<>(List.of("controller-manager"));
    arguments.add("--kubeconfig=" + kubeconfig(server));
    arguments.addAll(List.of(flags));
    return muster(arguments);
  }

  /** What a command prints. */
  List<String> run(String... arguments) throws InterruptedException {
    var process = muster(List.of(arguments));
    process.waitFor();
    return process.output();
  }

  Path kubeconfig(Running server) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig-" + server.port()),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server.port(), FleetApi.TOKEN));
  }

  private ChildProcess muster(List<String> arguments) {
    var process =
        ChildProcess.start(MusterCommand.ofHeap("-Xmx400m", arguments.toArray(String[]::new)));
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
    etcd.close();
  }
}
