package dev.muster.server;

import dev.muster.server.aggregation.AggregatedBackends;
import dev.muster.server.audit.SeparatePost;
import dev.muster.server.authentication.ProviderEgress;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.http.Header;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.EgressClient;
import dev.muster.server.proxy.Network;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.webhook.ConversionCalls;
import dev.muster.server.webhook.Webhooks;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The ways that lead out of a server: to kubelets, pods and services, to other API servers, to
 * webhooks, to issuers of tokens, to whom audit events are for.
 *
 * @param eventsProxied whether audit events pass through a proxy
 */
record OutboundParts(
    Backends backends,
    ApiServerClient apiServers,
    AggregatedBackends aggregated,
    Webhooks webhooks,
    ConversionCalls conversions,
    ProviderEgress issuers,
    EgressClient events,
    boolean eventsProxied)
    implements AutoCloseable {
  static final ProxyTimeouts TIMEOUTS = ProxyTimeouts.standard();

  /** Of an answer to audit events, of which only the status counts. */
  private static final int LONGEST_ANSWER = 1 << 20;

  /**
   * @param network where nodes, pods and services are reached
   */
  static OutboundParts of(ApiServerOptions options, Network network) {
    var egress = new EgressSelector(EgressConfiguration.read(options.nodes().egressFile()));
    var random = RandomGenerator.getDefault();
    var cluster = egress.of(EgressType.CLUSTER);
    var controlPlane = egress.of(EgressType.CONTROLPLANE);
    var apiServers = new ApiServerClient(options.api().aggregator(), network, cluster);
    var webhooks = new Webhooks(network, egress, random);
    return new OutboundParts(
        new Backends(options.nodes(), network, cluster, TIMEOUTS),
        apiServers,
        new AggregatedBackends(apiServers, options.api().aggregator(), random),
        webhooks,
        new ConversionCalls(webhooks),
        ProviderEgress.of(egress, network, gate -> options.api().enabled(gate, true)),
        new EgressClient("audit", network, controlPlane),
        !controlPlane.isDirect());
  }

  /** Takes audit events to their webhook. */
  SeparatePost eventPosts() {
    return new SeparatePost() {
      @Override
      public boolean isProxied() {
        return eventsProxied;
      }

      @Override
      public int post(
          URI target,
          List<Header> headers,
          byte[] body,
          SslContext tls,
          String serverName,
          Duration patience)
          throws IOException {
        try {
          return events
              .exchange("POST", target, serverName, headers, body, tls, LONGEST_ANSWER, patience)
              .status();
        } catch (BackendException e) {
          throw new IOException("Post \"" + target + "\": " + e.text(), e);
        }
      }
    };
  }

  @Override
  public void close() {
    backends.close();
    apiServers.close();
    webhooks.close();
    issuers.close();
    events.close();
  }
}
