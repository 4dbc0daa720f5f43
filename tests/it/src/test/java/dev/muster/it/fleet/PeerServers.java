package dev.muster.it.fleet;

import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.peers.PeerOptions;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.PkiFolder;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.authentication.RequestHeaderOptions;
import dev.muster.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Used by one thread. Servers in this process that serve different APIs and trust one another. */
final class PeerServers implements AutoCloseable {
  static final String CLIENT = "front-proxy-client";
  static final String SCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

  private final Path folder;
  private final ServersInOneProcess servers;

  PeerServers(Path folder) throws IOException {
    this.folder = folder;
    servers = new ServersInOneProcess(folder);
    PkiFolder.open(folder.resolve("front"), InstantSource.system())
        .client(CLIENT, CLIENT, List.of());
  }

  /**
   * @param apis which are served
   * @param peerPort where others reach it; 0 where clients do
   * @param way its own to the store of all
   */
  ServersInOneProcess.Running start(
      Map<String, Boolean> apis, int peerPort, UnaryOperator<Store> way) throws IOException {
    var usual = ServersInOneProcess.FAST;
    var fleet =
        new FleetOptions(
            usual.identity(),
            usual.discovery(),
            usual.endpoints(),
            new PeerOptions(
                folder.resolve("pki/ca.crt"), InetAddress.ofLiteral("127.0.0.1"), peerPort));
    return servers.start(
        options -> options(options, apis), fleet, Duration.ZERO, way.apply(servers.store()));
  }

  private ApiServerOptions options(ApiServerOptions usual, Map<String, Boolean> apis) {
    var front = folder.resolve("front");
    return usual
        .withAuthentication(
            new AuthenticationOptions(
                null,
                usual.authentication().tokenFile(),
                true,
                List.of(),
                new RequestHeaderOptions(
                    front.resolve("ca.crt"),
                    List.of(CLIENT),
                    List.of("X-Remote-User"),
                    List.of("X-Remote-Uid"),
                    List.of("X-Remote-Group"),
                    List.of("X-Remote-Extra-"))))
        .withApi(
            new ApiOptions(apis, Map.of())
                .withAggregator(
                    AggregatorOptions.defaults()
                        .showing(front.resolve(CLIENT + ".crt"), front.resolve(CLIENT + ".key"))));
  }

  /** A HorizontalPodAutoscaler of v2, which one of the servers does not serve. */
  static JsonObject scaler(String name) {
    return JsonObject.of(
        "apiVersion",
        "autoscaling/v2",
        "kind",
        "HorizontalPodAutoscaler",
        "metadata",
        JsonObject.of("name", name),
        "spec",
        JsonObject.of(
            "maxReplicas",
            3,
            "scaleTargetRef",
            JsonObject.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "web")));
  }

  /** What all servers store in. */
  Store store() {
    return servers.store();
  }

  void stop(ServersInOneProcess.Running server) {
    servers.stop(server);
  }

  @Override
  public void close() {
    servers.close();
  }
}
