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
 * Safe for any thread; blocks the virtual thread that calls. Finds the API servers behind this one
 * and connects to them. As with webhooks, requests go to an endpoint of the service, because this
 * server need not be part of the service network.
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
   * Chooses where to.
   *
   * @throws ServiceBackend.Missing when there is nowhere to go
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
   * @throws BackendException when the host is not known or the authorities cannot be read
   */
  BackendCall call(AggregatedApi api, Destination destination, ProxyTimeouts timeouts)
      throws BackendException {
    return client.call(remote(api, destination), timeouts);
  }

  /**
   * Asks for a document in the server's own name.
   *
   * @param more headers
   * @param mostBytes that it may have
   * @throws BackendException when it does not come as a whole within that time
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

  /** Asks for a document in the server's own name, and only whether it is there. */
  int status(AggregatedApi api, Destination destination, Duration patience)
      throws BackendException {
    return client.status(remote(api, destination), RemoteUser.AGGREGATOR, patience);
  }
}
