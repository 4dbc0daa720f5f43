package dev.muster.server.webhook;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.proxy.Dialer;
import dev.muster.server.proxy.Network;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Calls webhooks over HTTP/2 or HTTP/1.1, on pooled connections. Thread-safe. Blocks the calling
 * virtual thread, never longer than the call's timeout. The concurrent calls of each webhook are
 * limited, so a webhook that hangs does not delay the others.
 */
public final class Webhooks implements WebhookTransport, AutoCloseable {
  private static final int MOST_CALLS = 100;

  private final Map<EgressType, Dialer> dialers;
  private final WebhookConnector connector;
  private final ConnectionPool pool;
  private final WebhookConcurrencyLimit places;
  private final RandomGenerator random;

  public Webhooks(Network network, EgressSelector egress, RandomGenerator random) {
    this(network, egress, random, MOST_CALLS);
  }

  /**
   * @param mostCalls the most concurrent calls of one webhook
   */
  Webhooks(Network network, EgressSelector egress, RandomGenerator random, int mostCalls) {
    this.dialers =
        Map.of(
            EgressType.CLUSTER,
            new Dialer("webhooks", network, egress.of(EgressType.CLUSTER)),
            EgressType.CONTROLPLANE,
            new Dialer("webhooks", network, egress.of(EgressType.CONTROLPLANE)));
    this.pool = new ConnectionPool(mostCalls);
    this.connector = new WebhookConnector(dialers, pool);
    this.random = random;
    this.places = new WebhookConcurrencyLimit(mostCalls);
  }

  @Override
  public WebhookResponse post(WebhookCall call) throws WebhookException {
    var deadline = call.deadline().earlier(Deadline.after(call.timeout()));
    var gone = new CompletableFuture<Void>();
    call.cancellation().onCancel(() -> gone.complete(null));
    var patience = new CallDeadline(deadline, gone);
    try (var _ = places.take(call.client().name(), deadline)) {
      return exchange(call, origin(call), patience);
    } catch (ServiceBackend.Missing e) {
      throw call.failure(e.text());
    } catch (ExchangeException e) {
      throw e.begun()
          ? new WebhookException(
              "unexpected error when reading response body. Please retry. Original error: "
                  + e.text())
          : call.failure(e.text());
    }
  }

  private Origin origin(WebhookCall call) throws ServiceBackend.Missing {
    var client = call.client();
    return switch (client.address()) {
      case WebhookAddress.Url url ->
          Origin.of(client, url.host(), url.port(), url.serverName(), EgressType.CONTROLPLANE);
      case WebhookAddress.Service service -> {
        var backend =
            ServiceBackend.choose(
                call.cluster(), service.namespace(), service.name(), service.port(), random);
        yield Origin.of(
            client, backend.host(), backend.port(), service.serverName(), EgressType.CLUSTER);
      }
    };
  }

  /**
   * Calls on a pooled connection first. The webhook may close it at that very moment; if no
   * response has begun, the call is repeated on a new connection.
   */
  private WebhookResponse exchange(WebhookCall call, Origin origin, CallDeadline patience)
      throws ExchangeException {
    var kept = pool.take(origin);
    if (kept != null) {
      try {
        return exchange(call, origin, kept, patience);
      } catch (ExchangeException e) {
        if (e.begun() || patience.isOver()) {
          throw e;
        }
      }
    }
    return exchange(call, origin, connector.connect(origin, patience), patience);
  }

  private WebhookResponse exchange(
      WebhookCall call, Origin origin, WebhookConnection connection, CallDeadline patience)
      throws ExchangeException {
    var exchange = new WebhookExchange(call.mostBytes());
    connection.send(HookRequest.of(call), exchange);
    if (connection instanceof Http2Connection) {
      // Only after this call uses it: the pool closes a surplus connection when it is idle.
      pool.give(origin, connection);
    }
    try {
      var response = patience.await(exchange.answer(), exchange::begun);
      pool.give(origin, connection);
      return response;
    } catch (ExchangeException e) {
      exchange.abort();
      if (!exchange.begun()) {
        // The webhook's machine may be gone: the next call tries a new connection.
        connection.retire();
      }
      throw e;
    }
  }

  /** The number of idle or shared connections. */
  int keptConnections() {
    return pool.size();
  }

  /** The number of webhooks with running calls. */
  int calledNow() {
    return places.size();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    pool.close();
    dialers.values().forEach(Dialer::close);
  }
}
