package dev.muster.fleet.endpoints;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.discovery.DiscoveryHashOptions;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.peers.PeerOptions;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.server.ApiServer;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServiceOptions;
import dev.muster.server.options.ServingOptions;
import dev.muster.store.Store;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Whole servers in this process on one store, each on a free port of the loopback. */
final class RealServers implements AutoCloseable {
  static final EndpointOptions QUICK =
      EndpointOptions.defaults().withTimes(Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** The credentials of an administrator. */
  static final String TOKEN = "token-of-an-administrator";

  /** A running server, and what its extensions can do. */
  record Running(ApiServer server, ServerHost host) implements AutoCloseable {
    int port() {
      return host.port().getAsInt();
    }

    boolean hasMetric(String name) {
      for (var metric : host.metrics().scrape()) {
        if (metric.getMetadata().getPrometheusName().equals(name)) {
          return true;
        }
      }
      return false;
    }

    /** The sum of all series of a metric. */
    double metric(String name) {
      double sum = 0;
      for (var metric : host.metrics().scrape()) {
        for (var point : metric.getDataPoints()) {
          if (metric.getMetadata().getPrometheusName().equals(name.replace("_total", ""))) {
            sum +=
                switch (point) {
                  case CounterSnapshot.CounterDataPointSnapshot counter -> counter.getValue();
                  case GaugeSnapshot.GaugeDataPointSnapshot gauge -> gauge.getValue();
                  default -> 0;
                };
          }
        }
      }
      return sum;
    }

    @Nullable JsonObject read(PlannedWrite.Kind kind, String name) {
      var object = server.replica().current().collection(kind.storage()).get("default", name);
      return object == null ? null : object.tree();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private final Store store;
  private final Path folder;
  private final List<Running> running = new CopyOnWriteArrayList<>();

  RealServers(Store store, Path folder) {
    this.store = store;
    this.folder = folder;
  }

  /**
   * @param advertise one address or a pair
   * @param ranges one range or a pair
   */
  Running start(String advertise, String ranges, EndpointOptions endpoints, boolean gate) {
    return start(
        advertise,
        ranges,
        List.of(
            new EndpointReconciler(
                endpoints, IdentityOptions.defaults(), () -> "server-" + UUID.randomUUID())),
        gate);
  }

  /** A whole member of a fleet, with its identity Lease and its row. */
  Running startMember(String advertise, String ranges, FleetOptions options) {
    return start(advertise, ranges, Fleet.extensions(options), true);
  }

  private Running start(
      String advertise, String ranges, List<ServerExtension> parts, boolean gate) {
    var defaults = ApiServerOptions.defaults();
    var options =
        defaults.with(
            new ListenOptions(
                List.of(InetAddress.getLoopbackAddress()), 0, addresses(advertise), null, 250),
            new AuthenticationOptions(null, tokens(), true, List.of()),
            new ServingOptions(
                null, null, folder.resolve("pki"), defaults.tls().minimumVersion(), List.of()),
            new ApiOptions(Map.of(), Map.of("DualStackAPIServer", gate)),
            new ServiceOptions(
                List.of(ranges.split(",")).stream().map(Cidr::parse).toList(),
                defaults.services().nodePorts()));
    var hosts = new HashMap<String, ServerHost>();
    var extensions = new ArrayList<>(parts);
    extensions.add(new Borrower(hosts));
    try {
      var server = ApiServer.start(options, store, extensions, Clock.systemUTC());
      await().atMost(Duration.ofSeconds(60)).until(server::ready);
      var started = new Running(server, Objects.requireNonNull(hosts.get("host")));
      running.add(started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As long as a fleet that is tested may wait. */
  static FleetOptions quickFleet() {
    return new FleetOptions(
        new IdentityOptions("kube-apiserver-lease", 1, 10),
        DiscoveryHashOptions.defaults(),
        QUICK,
        PeerOptions.defaults());
  }

  private Path tokens() {
    try {
      return Files.writeString(
          folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Borrower(Map<String, ServerHost> hosts) implements ServerExtension {
    @Override
    public void attach(ServerHost host) {
      hosts.put("host", host);
    }

    @Override
    public void start() {}

    @Override
    public void leave() {}
  }

  private static List<InetAddress> addresses(String texts) {
    return List.of(texts.split(",")).stream().map(InetAddress::ofLiteral).toList();
  }

  @Override
  public void close() {
    running.reversed().forEach(Running::close);
  }
}
