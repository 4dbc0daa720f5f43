package dev.muster.server;

import dev.muster.server.aggregation.AggregatedBackends;
import dev.muster.server.authentication.ProviderEgress;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.Network;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.webhook.ConversionCalls;
import dev.muster.server.webhook.Webhooks;
import java.util.random.RandomGenerator;

/**
 * The outgoing connections of a server: to kubelets, pods and services, to other API servers, to
 * webhooks, and to token issuers.
 */
record OutboundWiring(
    Backends backends,
    ApiServerClient apiServers,
    AggregatedBackends aggregated,
    Webhooks webhooks,
    ConversionCalls conversions,
    ProviderEgress issuers)
    implements AutoCloseable {
  static final ProxyTimeouts TIMEOUTS = ProxyTimeouts.standard();

  /**
   * @param network connects to nodes, pods and services
   */
  static OutboundWiring of(ApiServerOptions options, Network network) {
    var egress = new EgressSelector(EgressConfiguration.read(options.nodes().egressFile()));
    var random = RandomGenerator.getDefault();
    var cluster = egress.of(EgressType.CLUSTER);
    var apiServers = new ApiServerClient(options.api().aggregator(), network, cluster);
    var webhooks = new Webhooks(network, egress, random);
    return new OutboundWiring(
        new Backends(options.nodes(), network, cluster, TIMEOUTS),
        apiServers,
        new AggregatedBackends(apiServers, options.api().aggregator(), random),
        webhooks,
        new ConversionCalls(webhooks),
        ProviderEgress.of(egress, network, gate -> options.api().enabled(gate, true)));
  }

  @Override
  public void close() {
    backends.close();
    apiServers.close();
    webhooks.close();
    issuers.close();
  }
}
