package dev.muster.cli;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.cli.controllers.ControllersInProcess;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.controllers.metrics.ControllerMetrics;
import dev.muster.model.address.Ip;
import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.embedded.EmbeddedOptions;
import dev.muster.store.embedded.EmbeddedStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several API servers on one store and the controller manager in this process, with their own
 * certificates. If a start fails, the parts that have started are stopped in reverse order, as at
 * the end. One thread starts and closes it.
 */
final class LocalControlPlane implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LocalControlPlane.class);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final List<ApiServer> servers = new ArrayList<>();
  private final List<String> urls = new ArrayList<>();
  private final UpFlags up;
  private final Clock clock;
  private Path kubeconfig = Path.of("admin.kubeconfig");
  private @Nullable Cluster cluster;
  private @Nullable KubernetesClient client;

  /**
   * The settings that every start of the servers shares.
   *
   * @param frontProxies whether the certificate for aggregated servers is this command's own
   */
  private record Cluster(
      LocalCredentials credentials,
      ApiServerFlags flags,
      ControllersInProcess controllers,
      boolean frontProxies,
      List<Integer> ports) {}

  private LocalControlPlane(UpFlags up, Clock clock) {
    this.up = up;
    this.clock = clock;
  }

  /**
   * Returns when every server is ready, or when the process is told to stop.
   *
   * @param serverFlags flags for every API server
   * @param controllers the settings of the controller manager
   * @throws CommandFailure when it cannot start
   */
  static LocalControlPlane start(
      UpFlags up, Map<String, List<String>> serverFlags, ControllersInProcess controllers)
      throws InterruptedException {
    return start(up, serverFlags, controllers, Clock.systemUTC());
  }

  /** For tests, with another clock. */
  static LocalControlPlane start(
      UpFlags up,
      Map<String, List<String>> serverFlags,
      ControllersInProcess controllers,
      Clock clock)
      throws InterruptedException {
    var plane = new LocalControlPlane(up, clock);
    try {
      plane.startAll(serverFlags, controllers);
      return plane;
    } catch (StoreException e) {
      plane.close();
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException | InterruptedException e) {
      plane.close();
      throw e;
    }
  }

  /** Why a server is not ready; "" when all are. */
  String degradedReason() {
    return servers.stream()
        .filter(server -> !server.ready())
        .map(ApiServer::degradedReason)
        .findFirst()
        .orElse("");
  }

  /** The URL of each server, in order. */
  List<String> urls() {
    return urls;
  }

  /** The administrator's kubeconfig. */
  Path kubeconfig() {
    return kubeconfig;
  }

  /** Whether commands find the kubeconfig at its default place. */
  boolean isUsual() {
    return kubeconfig.equals(
        UpFlags.defaults().data().toAbsolutePath().resolve("admin.kubeconfig"));
  }

  /** A description of the store, for users. */
  String storeText() {
    return switch (up.store()) {
      case "embedded" -> "on the embedded store in " + storeFolder();
      case "memory" -> "in memory only";
      default -> "on etcd at " + up.store().substring("etcd=".length());
    };
  }

  /**
   * Waits until the process is told to stop, or until the store's history was replaced.
   *
   * @return whether {@link #startAnew} has to be called
   */
  boolean awaitReplacement() throws InterruptedException {
    return Servers.awaitReplacement(servers);
  }

  /**
   * Stops everything that has seen the store's former history, including controllers and their
   * caches, and starts it again on the same ports.
   */
  void startAnew() throws InterruptedException {
    // The servers answer 503 to the controllers, which would retry their last requests.
    var lent = client;
    if (lent != null) {
      lent.close();
    }
    stop(1);
    servers.clear();
    urls.clear();
    startCluster(Objects.requireNonNull(cluster));
  }

  @Override
  public void close() {
    stop(0);
  }

  /** Stops components in reverse order until that many are left. */
  private void stop(int left) {
    while (running.size() > left) {
      try {
        running.pop().close();
      } catch (Exception e) {
        log.error("did not stop cleanly", e);
      }
    }
  }

  private void startAll(Map<String, List<String>> given, ControllersInProcess controllers)
      throws InterruptedException {
    var data = up.data().toAbsolutePath().normalize();
    var folder = DataFolderLock.take(data);
    running.push(folder);
    var credentials = LocalCredentials.open(data, clock);
    var flags = ApiServerFlags.read(withDefaults(given, credentials), ApiServerOptions.defaults());
    var certificates = InputFiles.check(flags, clock);
    var _ = controllers.election();
    controllers.checkNames(
        credentials.authority(), credentials.authorityKey(), credentials.tokenKey());
    Logs.configureQuiet(flags.server().log());
    folder.remarks().forEach(log::warn);
    flags.remarks().forEach(log::warn);
    certificates.forEach(log::warn);
    boolean frontProxies =
        given.keySet().stream().noneMatch(LocalControlPlane::isAboutFrontProxies);
    var common = new Cluster(credentials, flags, controllers, frontProxies, ports());
    cluster = common;
    startCluster(common);
  }

  private void startCluster(Cluster common) throws InterruptedException {
    var flags = common.flags();
    var credentials = common.credentials();
    var store = open(flags);
    running.push(store);
    for (int port : common.ports()) {
      var server =
          Servers.start(
              onPort(flags.server(), port), flags.fleet(), flags.identity(), store, clock);
      running.push(server);
      servers.add(server);
      urls.add("https://" + host(server.addresses()) + ":" + port);
    }
    Servers.awaitReady(servers, flags.server().storage().initializationTimeout());
    kubeconfig = credentials.writeAdminKubeconfig(urls);
    if (StopSignal.requested()) {
      return;
    }
    startControllers(credentials, common.controllers());
    running.push(
        CertificateRenewal.start(
            () -> {
              if (common.frontProxies()) {
                credentials.frontProxyFlags();
              }
              credentials.writeAdminKubeconfig(urls);
              credentials.writeControllerKubeconfig(urls.getFirst());
            },
            clock));
    tellOfControllers();
  }

  /** Connects the controllers to the first server; only one server publishes their metrics. */
  private void tellOfControllers() {
    var runs = new AtomicBoolean(true);
    running.push(() -> runs.set(false));
    servers.forEach(server -> server.neighbours().add("controller-manager", runs::get));
    servers.getFirst().neighbours().add(ControllerMetrics.OF_PROCESS.registry());
  }

  private void startControllers(LocalCredentials credentials, ControllersInProcess controllers) {
    var client = controllers.connect(credentials.writeControllerKubeconfig(urls.getFirst()));
    this.client = client;
    running.push(client);
    running.push(
        ControllerManager.start(
            client,
            controllers.election(),
            controllers.controllers(
                client,
                credentials.authority(),
                credentials.authorityKey(),
                credentials.tokenKey())));
  }

  /** The flags that this command sets for its servers, unless the user does. */
  private static Map<String, List<String>> withDefaults(
      Map<String, List<String>> given, LocalCredentials credentials) {
    var flags = new HashMap<String, List<String>>();
    flags.put("cert-dir", List.of(credentials.pkiFolder().toString()));
    flags.put("client-ca-file", List.of(credentials.authority().toString()));
    if (!given.containsKey("authorization-config")) {
      flags.put(
          "authorization-mode",
          List.of(AuthorizerType.NODE.spelling() + "," + AuthorizerType.RBAC.spelling()));
    }
    if (!given.containsKey("disable-admission-plugins")) {
      flags.put("enable-admission-plugins", List.of("NodeRestriction"));
    }
    flags.put("allow-privileged", List.of("true"));
    flags.put("service-account-signing-key-file", List.of(credentials.tokenKey().toString()));
    flags.put("service-account-key-file", List.of(credentials.tokenPublicKey().toString()));
    if (given.keySet().stream().noneMatch(LocalControlPlane::isAboutFrontProxies)) {
      flags.putAll(credentials.frontProxyFlags());
    }
    flags.putAll(given);
    return flags;
  }

  /** Whether the flag belongs to a group of which all must be set if one is. */
  private static boolean isAboutFrontProxies(String flag) {
    return flag.startsWith("requestheader-") || flag.startsWith("proxy-client-");
  }

  private Store open(ApiServerFlags flags) {
    var history = flags.server().storage().compactionInterval();
    return switch (up.store()) {
      case "embedded" -> EmbeddedStore.open(EmbeddedOptions.in(storeFolder()).withHistory(history));
      case "memory" -> new MemoryStore();
      default -> etcd(flags).open(history, EtcdEgress.of(flags.server().nodes().egressFile()));
    };
  }

  private EtcdFlags etcd(ApiServerFlags flags) {
    try {
      return flags.etcd().withServers(up.etcdServers());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()).replace("--etcd-servers", "--store"), e);
    }
  }

  private Path storeFolder() {
    return up.data().toAbsolutePath().normalize().resolve("store");
  }

  private List<Integer> ports() {
    var ports = new ArrayList<Integer>();
    if (up.port() != 0) {
      for (int i = 0; i < up.servers(); i++) {
        ports.add(up.port() + i);
      }
      return ports;
    }
    var held = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < up.servers(); i++) {
        var socket = new ServerSocket(0);
        held.add(socket);
        ports.add(socket.getLocalPort());
      }
      for (var socket : held) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new CommandFailure("no free port: " + e.getMessage(), e);
    }
  }

  private static ApiServerOptions onPort(ApiServerOptions options, int port) {
    return options.withListen(options.listen().withSecurePort(port));
  }

  /** An address under which this machine reaches the server. */
  private static String host(List<InetSocketAddress> addresses) {
    @Nullable InetAddress address = addresses.getFirst().getAddress();
    return address == null || address.isAnyLocalAddress() ? "127.0.0.1" : Ip.of(address).host();
  }
}
