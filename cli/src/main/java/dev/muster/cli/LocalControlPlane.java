package dev.muster.cli;

import dev.muster.access.authorization.AuthorizerType;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.cli.controllers.AllControllers;
import dev.muster.cli.controllers.ControllerManagerFlags;
import dev.muster.cli.controllers.ControllerWorkFlags;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.controllers.manager.LeaderElection;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Started and closed by one thread. Several API servers on one store and the controller manager, in
 * this process, with certificates of their own. What has started when something fails is stopped
 * again, in reverse order, as it is at the end.
 */
final class LocalControlPlane implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LocalControlPlane.class);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final List<String> urls = new ArrayList<>();
  private final List<ApiServer> servers = new ArrayList<>();
  private final UpFlags up;
  private Path kubeconfig = Path.of("admin.kubeconfig");

  private LocalControlPlane(UpFlags up) {
    this.up = up;
  }

  /**
   * Returns when every server is ready, or a stop was asked for meanwhile.
   *
   * @param serverFlags flags for every API server
   * @throws CommandFailure when it cannot start
   */
  static LocalControlPlane start(UpFlags up, Map<String, List<String>> serverFlags)
      throws InterruptedException {
    var plane = new LocalControlPlane(up);
    try {
      plane.startAll(serverFlags);
      return plane;
    } catch (StoreException e) {
      plane.close();
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException | InterruptedException e) {
      plane.close();
      throw e;
    }
  }

  /** What keeps a server from being ready; "" when all are. */
  String trouble() {
    return servers.stream()
        .filter(server -> !server.ready())
        .map(ApiServer::trouble)
        .findFirst()
        .orElse("");
  }

  /** Of each server, in order. */
  List<String> urls() {
    return urls;
  }

  /** The file that lets an administrator in. */
  Path kubeconfig() {
    return kubeconfig;
  }

  /** Where the cluster is kept, for people. */
  String storeText() {
    return switch (up.store()) {
      case "embedded" -> "on the embedded store in " + storeFolder();
      case "memory" -> "in memory only";
      default -> "on etcd at " + up.store().substring("etcd=".length());
    };
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        log.error("did not stop cleanly", e);
      }
    }
  }

  private void startAll(Map<String, List<String>> given) throws InterruptedException {
    var data = up.data().toAbsolutePath().normalize();
    var folder = DataFolderLock.take(data);
    running.push(folder);
    var credentials = LocalCredentials.open(data);
    var flags = ApiServerFlags.read(withDefaults(given, credentials), ApiServerOptions.defaults());
    var identity = identity(flags);
    InputFiles.check(flags.server(), flags.fleet());
    Logs.configureQuiet(flags.server().log());
    folder.remarks().forEach(log::warn);
    flags.remarks().forEach(log::warn);
    var store = open(flags);
    running.push(store);
    for (int port : ports()) {
      var server =
          Servers.start(onPort(flags.server(), port), flags.fleet(), flags.identity(), store);
      running.push(server);
      servers.add(server);
      urls.add("https://" + host(server.addresses()) + ":" + port);
    }
    Servers.awaitReady(servers, flags.server().storage().initializationTimeout());
    kubeconfig = credentials.writeAdminKubeconfig(urls);
    if (StopSignal.requested()) {
      return;
    }
    startControllers(credentials, flags.fleet().identity().namespace(), identity);
  }

  private ControllerManagerFlags.Identity identity(ApiServerFlags flags) {
    try {
      return ControllerManagerFlags.Identity.inProcess(
          up.clusterId(), flags.identity().allowLong());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private void startControllers(
      LocalCredentials credentials,
      String identityNamespace,
      ControllerManagerFlags.Identity identity) {
    var file = credentials.writeControllerKubeconfig(urls.getFirst());
    KubernetesClient client = Clients.of(file);
    running.push(client);
    running.push(
        ControllerManager.start(
            client,
            LeaderElection.defaults(),
            AllControllers.of(
                client,
                ControllerWorkFlags.defaults()
                    .signingWith(
                        credentials.authority(),
                        credentials.authorityKey(),
                        credentials.tokenKey()),
                ControllerManagerFlags.Collection.defaults().in(identityNamespace).collector(),
                identity)));
  }

  /** What this command sets for its servers, unless the user does. */
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

  /** Who says one of these things has to say all. */
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
      return flags.etcd().withServers(List.of(up.store().substring("etcd=".length()).split(",")));
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
