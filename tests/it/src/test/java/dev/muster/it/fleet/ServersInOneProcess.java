package dev.muster.it.fleet;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.discovery.DiscoveryHashOptions;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.it.ServerInProcess;
import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Real servers with sockets, on one store in memory, in this process. */
final class ServersInOneProcess implements AutoCloseable {
  /** Everything faster than a fleet would have it. */
  static final FleetOptions FAST =
      new FleetOptions(
          new IdentityOptions("kube-apiserver-lease", 1, 10),
          new DiscoveryHashOptions(Duration.ofSeconds(2)),
          FleetOptions.defaults().endpoints(),
          FleetOptions.defaults().peers());

  /** One of the servers. */
  record Running(ApiServer server, FleetApi api, int port) {}

  private final Path folder;
  private final Store store = new MemoryStore();
  private final List<Running> running = new ArrayList<>();

  ServersInOneProcess(Path folder) throws IOException {
    this.folder = folder;
    FleetApi.writeTokens(folder);
  }

  Running start(Map<String, Boolean> runtimeConfig, Map<String, Boolean> gates, Duration skew)
      throws IOException {
    return start(options -> options.withApi(new ApiOptions(runtimeConfig, gates)), FAST, skew);
  }

  /** A server with other options than usual. */
  Running start(UnaryOperator<ApiServerOptions> change, FleetOptions fleet, Duration skew)
      throws IOException {
    return start(change, fleet, skew, store);
  }

  /**
   * A server with a way of its own to the store.
   *
   * @param way to what all servers store in
   */
  Running start(
      UnaryOperator<ApiServerOptions> change, FleetOptions fleet, Duration skew, Store way)
      throws IOException {
    var options = ServerInProcess.options(folder);
    var clock = Clock.offset(Clock.systemUTC(), skew);
    var server = ApiServer.start(change.apply(options), way, Fleet.extensions(fleet), clock);
    int port = server.addresses().getFirst().getPort();
    var started = new Running(server, new FleetApi(port), port);
    running.add(started);
    await().atMost(Duration.ofSeconds(60)).until(server::ready);
    return started;
  }

  Running start() throws IOException {
    return start(Map.of(), Map.of(), Duration.ZERO);
  }

  void stop(Running server) {
    running.remove(server);
    server.server().close();
  }

  /** What all servers store in. */
  Store store() {
    return store;
  }

  List<Running> all() {
    return List.copyOf(running);
  }

  /** A kubeconfig for one of the servers. */
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

  @Override
  public void close() {
    List.copyOf(running).forEach(this::stop);
    store.close();
  }
}
