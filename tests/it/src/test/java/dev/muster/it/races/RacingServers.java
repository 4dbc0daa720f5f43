package dev.muster.it.races;

import static org.awaitility.Awaitility.await;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.it.ServerInProcess;
import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.testing.CarelessStore;
import dev.muster.testing.CarelessStore.Carelessness;
import dev.muster.testing.LaggingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Used by one thread. Servers with sockets in this process, on one store, each of which hears of
 * commits a little later than the store has them.
 */
public final class RacingServers implements AutoCloseable {
  /** Whose bearer may do everything. */
  public static final String TOKEN = "of-the-race";

  /** Whose bearer, {@code robot}, may do what roles allow. */
  public static final String ROBOT = "of-the-robot";

  /** Whose bearer, {@code other}, is somebody else than the robot. */
  public static final String OTHER = "of-the-other";

  private final List<Store> stores;
  private final Set<Carelessness> careless;
  private final List<LaggingStore> links = new ArrayList<>();
  private final List<ApiServer> servers = new ArrayList<>();

  private final Path folder;

  private RacingServers(Path folder, List<Store> stores, Set<Carelessness> careless) {
    this.folder = folder;
    this.stores = stores;
    this.careless = careless;
  }

  /**
   * Servers on one store in memory.
   *
   * @param folder for their certificates and tokens
   * @param longestLag in microseconds; each batch of commits gets one by chance
   */
  static RacingServers start(Path folder, int count, long seed, int longestLag) throws IOException {
    return start(folder, inMemory(count), seed, longestLag, Set.of());
  }

  /** A store in memory as that many servers see it. */
  public static List<Store> inMemory(int servers) {
    return Collections.nCopies(servers, new MemoryStore());
  }

  /**
   * A server on each of those ways to the same store, which are closed with it.
   *
   * @param careless what they all leave out
   */
  public static RacingServers start(
      Path folder, List<Store> stores, long seed, int longestLag, Set<Carelessness> careless)
      throws IOException {
    Files.writeString(
        folder.resolve("tokens.csv"),
        TOKEN + ",admin,1,\"system:masters\"\n" + ROBOT + ",robot,2,\n" + OTHER + ",other,3,\n");
    var all = new RacingServers(folder, stores, careless);
    try {
      for (int i = 0; i < stores.size(); i++) {
        var random = new Random(seed + i);
        all.start(
            new LaggingStore(
                stores.get(i),
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
    var link = new LaggingStore(stores.getFirst());
    link.holdBack();
    start(link);
    return link;
  }

  private void start(LaggingStore link) throws IOException {
    links.add(link);
    servers.add(
        ApiServer.start(
            options(folder), careless.isEmpty() ? link : new CarelessStore(link, careless)));
  }

  private static ApiServerOptions options(Path folder) {
    return ServerInProcess.options(folder)
        .with(new AuthorizationOptions(List.of(AuthorizerType.RBAC)));
  }

  public List<String> urls() {
    return servers.stream()
        .map(server -> "https://127.0.0.1:" + server.addresses().getFirst().getPort())
        .toList();
  }

  public String url(int server) {
    return urls().get(server);
  }

  /** A server's way to the store. */
  public LaggingStore link(int server) {
    return links.get(server);
  }

  @Override
  public void close() {
    links.forEach(LaggingStore::letGo);
    servers.forEach(ApiServer::close);
    stores.forEach(Store::close);
  }
}
