package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.egress.Egress;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends short requests through one egress, each on a connection of its own. Thread-safe. Blocks the
 * calling virtual thread. Redirects are returned like any other response.
 */
public final class EgressClient implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final Dialer dialer;

  /**
   * @param purpose of its connections, for the names of its threads
   */
  public EgressClient(String purpose, Network network, Egress egress) {
    this.dialer = new Dialer(purpose, network, egress);
  }

  /** A complete response. */
  public record Answer(int status, List<Header> headers, byte[] body) {
    public Answer {
      headers = List.copyOf(headers);
    }

    /** The first header of that lower-case name; "" when there is none. */
    public String header(String name) {
      return headers.stream()
          .filter(header -> header.name().equals(name))
          .map(Header::value)
          .findFirst()
          .orElse("");
    }
  }

  /**
   * Sends a request and waits for the whole response.
   *
   * @param url with http or https
   * @param more further headers of the request
   * @param mostBytes the longest accepted response
   * @throws BackendException when the whole response does not arrive in time
   */
  public Answer get(URI url, List<Header> more, SslContext tls, int mostBytes, Duration patience)
      throws BackendException {
    var destination = destination(url);
    var timeouts = new ProxyTimeouts(patience, patience, patience, patience);
    var headers = new ArrayList<Header>();
    headers.add(new Header("host", destination.urlAuthority()));
    headers.add(new Header("user-agent", "muster"));
    headers.addAll(more);
    var host = destination.host();
    var target = new Target(destination, dialer.lookup(host, patience), host);
    try (var call = new BackendCall(target, dialer, () -> tls, timeouts)) {
      var late = CompletableFuture.delayedExecutor(patience.toNanos(), TimeUnit.NANOSECONDS);
      var watchdog = CompletableFuture.runAsync(call::cancel, late);
      try {
        call.connect();
        var response = call.send(new BackendRequest("GET", headers, NOTHING), patience);
        return new Answer(response.status(), response.headers(), whole(call, mostBytes));
      } catch (BackendException e) {
        throw watchdog.isDone() ? new BackendException("context deadline exceeded") : e;
      } finally {
        watchdog.cancel(false);
      }
    }
  }

  private static Destination destination(URI url) throws BackendException {
    var host = url.getHost();
    boolean encrypted = "https".equals(url.getScheme());
    if (host == null || !(encrypted || "http".equals(url.getScheme()))) {
      throw new BackendException("unsupported protocol scheme or no host in URL");
    }
    var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    var path = url.getRawPath() == null ? "" : url.getRawPath();
    var query = url.getRawQuery() == null ? "" : url.getRawQuery();
    return new Destination(
        Backend.WORKLOAD, encrypted, bare, Math.max(0, url.getPort()), path, query);
  }

  private static byte[] whole(BackendCall call, int mostBytes) throws BackendException {
    var body = new ByteArrayOutputStream();
    for (var piece = call.next(); piece != null; piece = call.next()) {
      if (body.size() + piece.length > mostBytes) {
        throw new BackendException("the answer is larger than " + mostBytes + " bytes");
      }
      body.writeBytes(piece);
    }
    return body.toByteArray();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    dialer.close();
  }
}
