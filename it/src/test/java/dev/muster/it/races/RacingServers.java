package dev.muster.it.races;

import static org.awaitility.Awaitility.await;

import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServingOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.testing.LaggingStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Used by one thread. Servers with sockets in this process, on one store in memory, each of which
 * hears of commits a little later than the store has them.
 */
final class RacingServers implements AutoCloseable {
  static final String TOKEN = "of-the-race";

  private final Store store = new MemoryStore();
  private final List<LaggingStore> links = new ArrayList<>();
  private final List<ApiServer> servers = new ArrayList<>();

  private final Path folder;

  private RacingServers(Path folder) {
    this.folder = folder;
  }

  /**
   * @param folder for their certificates and tokens
   * @param longestLag in microseconds; each batch of commits gets one by chance
   */
  static RacingServers start(Path folder, int count, long seed, int longestLag) throws IOException {
    Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
    var all = new RacingServers(folder);
    try {
      for (int i = 0; i < count; i++) {
        var random = new Random(seed + i);
        all.start(
            new LaggingStore(
                all.store,
                () -> Duration.ofNanos(longestLag == 0 ? 0 : 1_000L * random.nextInt(longestLag))));
      }
      for (var server : all.servers) {
        await().atMost(Duration.ofSeconds(60)).until(server::ready);
      }
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  /** One more server, which listens and has not read anything of the store yet. */
  LaggingStore startWithoutStore() throws IOException {
    var link = new LaggingStore(store);
    link.holdBack();
    start(link);
    return link;
  }

  private void start(LaggingStore link) throws IOException {
    links.add(link);
    servers.add(ApiServer.start(options(folder), link));
  }

  private static ApiServerOptions options(Path folder) {
    var defaults = ApiServerOptions.defaults();
    return new ApiServerOptions(
        new ListenOptions(
            List.of(InetAddress.ofLiteral("127.0.0.1")),
            0,
            List.of(InetAddress.ofLiteral("192.0.2.10")),
            null,
            250),
        new ServingOptions(
            null, null, folder.resolve("pki"), defaults.tls().minimumVersion(), List.of()),
        defaults.requests(),
        new AuthenticationOptions(null, folder.resolve("tokens.csv"), true, List.of()),
        defaults.serviceAccounts(),
        new AuthorizationOptions(List.of(AuthorizationOptions.Mode.RBAC)),
        defaults.admission(),
        defaults.api(),
        defaults.services(),
        defaults.nodes(),
        defaults.storage(),
        defaults.shutdown(),
        defaults.log());
  }

  List<String> urls() {
    return servers.stream()
        .map(server -> "https://127.0.0.1:" + server.addresses().getFirst().getPort())
        .toList();
  }

  String url(int server) {
    return urls().get(server);
  }

  /** A server's way to the store. */
  LaggingStore link(int server) {
    return links.get(server);
  }

  @Override
  public void close() {
    links.forEach(LaggingStore::letGo);
    servers.forEach(ApiServer::close);
    store.close();
  }
}
