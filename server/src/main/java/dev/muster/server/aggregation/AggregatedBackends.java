package dev.muster.server.aggregation;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.registry.types.ClusterView;
import dev.muster.server.http.HttpAnswer.Header;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.BackendRequest;
import dev.muster.server.proxy.BackendResponse;
import dev.muster.server.proxy.Dialer;
import dev.muster.server.proxy.Network;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.Target;
import dev.muster.wire.JsonReader;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Safe for any thread; blocks the virtual thread that calls. Finds the API servers behind this one
 * and connects to them. As with webhooks, requests go to an endpoint of the service, because this
 * server need not be part of the service network.
 */
public final class AggregatedBackends implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final boolean endpointsOnly;
  private final BackendTrust trust;
  private final Dialer dialer;
  private final RandomGenerator random;

  /**
   * @throws IllegalArgumentException when a file that the options name cannot be used
   */
  public AggregatedBackends(AggregatorOptions options, Network network, RandomGenerator random) {
    this.endpointsOnly = options.endpointsOnly();
    this.trust = new BackendTrust(options);
    this.dialer = new Dialer("aggregator", network);
    this.random = random;
  }

  /** A document, or another short answer, whole. */
  record Answer(int status, List<Header> headers, byte[] body) {
    String header(String name) {
      return headers.stream()
          .filter(header -> header.name().equals(name))
          .map(Header::value)
          .findFirst()
          .orElse("");
    }

    /**
     * @throws BackendException when it is something else
     */
    JsonObject object() throws BackendException {
      try {
        if (JsonReader.read(body) instanceof JsonObject object) {
          return object;
        }
      } catch (RuntimeException e) {
        throw new BackendException("the document cannot be read: " + e.getMessage());
      }
      throw new BackendException("the document is no object");
    }
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

  /**
   * A call that is not connected yet.
   *
   * @throws BackendException when the host is not known or the authorities cannot be read
   */
  BackendCall call(AggregatedApi api, Destination destination, ProxyTimeouts timeouts)
      throws BackendException {
    var context = trust.of(api);
    List<InetAddress> addresses;
    try {
      addresses = dialer.lookup(destination.host(), timeouts.connect());
    } catch (BackendException e) {
      throw new BackendException("dial tcp: " + e.text());
    }
    var target = new Target(destination, addresses, api.service().serverName());
    return new BackendCall(target, dialer, () -> context, timeouts);
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
    return ask(
        api, destination, more, patience, (call, response) -> whole(call, response, mostBytes));
  }

  /** Asks for a document in the server's own name, and only whether it is there. */
  int status(AggregatedApi api, Destination destination, Duration patience)
      throws BackendException {
    return ask(api, destination, List.of(), patience, (call, response) -> response.status());
  }

  /** What is made of an answer whose head is there. */
  private interface Reader<T> {
    T read(BackendCall call, BackendResponse response) throws BackendException;
  }

  private <T> T ask(
      AggregatedApi api,
      Destination destination,
      List<Header> more,
      Duration patience,
      Reader<T> reader)
      throws BackendException {
    var headers = new ArrayList<Header>();
    headers.add(new Header("host", destination.authority()));
    headers.add(new Header("user-agent", "muster"));
    headers.addAll(RemoteUser.headers(RemoteUser.AGGREGATOR));
    headers.addAll(more);
    var timeouts = new ProxyTimeouts(patience, patience, patience, patience);
    try (var call = call(api, destination, timeouts)) {
      var late = CompletableFuture.delayedExecutor(patience.toNanos(), TimeUnit.NANOSECONDS);
      var watchdog = CompletableFuture.runAsync(call::cancel, late);
      try {
        call.connect();
        return reader.read(call, call.send(new BackendRequest("GET", headers, NOTHING), patience));
      } catch (BackendException e) {
        throw watchdog.isDone() ? new BackendException("context deadline exceeded") : e;
      } finally {
        watchdog.cancel(false);
      }
    }
  }

  private static Answer whole(BackendCall call, BackendResponse response, int mostBytes)
      throws BackendException {
    var body = new ByteArrayOutputStream();
    for (var piece = call.next(); piece != null; piece = call.next()) {
      if (body.size() + piece.length > mostBytes) {
        throw new BackendException("the answer is larger than " + mostBytes + " bytes");
      }
      body.writeBytes(piece);
    }
    return new Answer(response.status(), response.headers(), body.toByteArray());
  }

  /** Ends all connections. */
  @Override
  public void close() {
    dialer.close();
  }
}
