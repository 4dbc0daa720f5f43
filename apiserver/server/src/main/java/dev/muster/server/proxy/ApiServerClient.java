package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.connect.Destination;
import dev.muster.server.egress.Egress;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.wire.JsonReader;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Connects to other API servers, which trust this server's statements about users because of its
 * client certificate. Thread-safe. Blocks the calling virtual thread.
 */
public final class ApiServerClient implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final BackendTrust trust;
  private final Dialer dialer;
  private final Dialer straight;

  /**
   * @throws IllegalArgumentException when a file that the options name cannot be used
   */
  public ApiServerClient(AggregatorOptions options, Network network, Egress egress) {
    this.trust = new BackendTrust(options);
    this.dialer = new Dialer("api-servers", network, egress);
    this.straight = new Dialer("peers", network, Egress.DIRECT);
  }

  private ApiServerClient(BackendTrust trust, Dialer dialer, Dialer straight) {
    this.trust = trust;
    this.dialer = dialer;
    this.straight = straight;
  }

  /** A client that uses no egress proxy; {@link #close} of this client closes it, too. */
  public ApiServerClient withoutProxy() {
    return new ApiServerClient(trust, straight, straight);
  }

  /**
   * Another API server.
   *
   * @param destination its address, and the requested path
   * @param serverName that its certificate must have
   * @param authorities the CAs of its certificate, in PEM; "" for those of the system
   * @param unverified whether its certificate is not verified
   */
  public record Remote(
      Destination destination, String serverName, String authorities, boolean unverified) {}

  /** A document or another short response, complete. */
  public record Answer(int status, List<Header> headers, byte[] body) {
    public String header(String name) {
      return headers.stream()
          .filter(header -> header.name().equals(name))
          .map(Header::value)
          .findFirst()
          .orElse("");
    }

    /**
     * @throws BackendException when it is not a JSON object
     */
    public JsonObject object() throws BackendException {
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
   * A call that is not connected yet.
   *
   * @throws BackendException when the host is unknown or the CAs cannot be parsed
   */
  public BackendCall call(Remote remote, ProxyTimeouts timeouts) throws BackendException {
    var context = trust.of(remote.authorities(), remote.unverified());
    List<InetAddress> addresses;
    try {
      addresses = dialer.lookup(remote.destination().host(), timeouts.connect());
    } catch (BackendException e) {
      throw new BackendException("dial tcp: " + e.text());
    }
    var target = new Target(remote.destination(), addresses, remote.serverName());
    return new BackendCall(target, dialer, () -> context, timeouts);
  }

  /**
   * Gets a document as that user.
   *
   * @param more further headers
   * @param mostBytes the longest accepted document
   * @throws BackendException when the whole document does not arrive in time
   */
  public Answer get(Remote remote, User user, List<Header> more, int mostBytes, Duration patience)
      throws BackendException {
    return ask(remote, user, more, patience, (call, response) -> whole(call, response, mostBytes));
  }

  /** Gets the status of a document as that user. */
  public int status(Remote remote, User user, Duration patience) throws BackendException {
    return ask(remote, user, List.of(), patience, (call, response) -> response.status());
  }

  /** Reads the rest of a response whose head has arrived. */
  private interface Reader<T> {
    T read(BackendCall call, BackendResponse response) throws BackendException;
  }

  private <T> T ask(
      Remote remote, User user, List<Header> more, Duration patience, Reader<T> reader)
      throws BackendException {
    var headers = new ArrayList<Header>();
    headers.add(new Header("host", remote.destination().authority()));
    headers.add(new Header("user-agent", "muster"));
    headers.addAll(RemoteUser.headers(user));
    headers.addAll(more);
    var timeouts = new ProxyTimeouts(patience, patience, patience, patience);
    try (var call = call(remote, timeouts)) {
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

  /** Closes all connections. */
  @Override
  public void close() {
    dialer.close();
    straight.close();
  }
}
