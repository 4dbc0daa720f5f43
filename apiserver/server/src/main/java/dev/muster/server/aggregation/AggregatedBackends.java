package dev.muster.server.aggregation;

import dev.muster.http.Header;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.ApiServerClient.Answer;
import dev.muster.server.proxy.ApiServerClient.Remote;
import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.RemoteUser;
import dev.muster.types.ClusterView;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Connects to aggregated API servers. Thread-safe. Blocks the calling virtual thread. It connects
 * to an endpoint of the Service instead of its cluster IP, like webhooks: this server need not be
 * part of the service network.
 */
public final class AggregatedBackends {
  private final boolean endpointsOnly;
  private final ApiServerClient client;
  private final RandomGenerator random;

  public AggregatedBackends(
      ApiServerClient client, AggregatorOptions options, RandomGenerator random) {
    this.client = client;
    this.endpointsOnly = options.endpointsOnly();
    this.random = random;
  }

  /**
   * Chooses the destination.
   *
   * @throws ServiceBackend.Missing when the Service or its endpoints do not exist
   */
  Destination destination(AggregatedApi api, ClusterView cluster, String path, String query)
      throws ServiceBackend.Missing {
    var service = api.service();
    var chosen =
        endpointsOnly
            ? ServiceBackend.chooseEndpoint(
                cluster, service.namespace(), service.name(), service.port(), random)
            : ServiceBackend.choose(
                cluster, service.namespace(), service.name(), service.port(), random);
    return new Destination(
        Destination.Backend.WORKLOAD, true, chosen.host(), chosen.port(), path, query);
  }

  private static Remote remote(AggregatedApi api, Destination destination) {
    return new Remote(destination, api.service().serverName(), api.authorities(), api.unverified());
  }

  /**
   * A call that is not connected yet.
   *
   * @throws BackendException when the host is unknown or the CAs cannot be parsed
   */
  BackendCall call(AggregatedApi api, Destination destination, ProxyTimeouts timeouts)
      throws BackendException {
    return client.call(remote(api, destination), timeouts);
  }

  /**
   * Gets a document as the server's own user.
   *
   * @param more further headers
   * @param mostBytes the longest accepted document
   * @throws BackendException when the whole document does not arrive in time
   */
  Answer get(
      AggregatedApi api,
      Destination destination,
      List<Header> more,
      int mostBytes,
      Duration patience)
      throws BackendException {
    return client.get(remote(api, destination), RemoteUser.AGGREGATOR, more, mostBytes, patience);
  }

  /** Gets the status of a document as the server's own user. */
  int status(AggregatedApi api, Destination destination, Duration patience)
      throws BackendException {
    return client.status(remote(api, destination), RemoteUser.AGGREGATOR, patience);
  }
}
