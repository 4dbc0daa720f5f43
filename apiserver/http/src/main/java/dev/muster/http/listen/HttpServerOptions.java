package dev.muster.http.listen;

import dev.muster.http.ErrorRenderer;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.tls.TlsOptions;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses, limits and threads of an HTTP server.
 *
 * @param binds all of them are bound, or the server does not start; port 0 chooses a free one
 * @param tls null for plain HTTP/1.1
 * @param eventLoops the number of threads that own connections
 */
public record HttpServerOptions(
    List<InetSocketAddress> binds,
    @Nullable TlsOptions tls,
    HttpLimits limits,
    int eventLoops,
    ErrorRenderer errors) {

  public HttpServerOptions {
    binds = List.copyOf(binds);
    if (binds.isEmpty()) {
      throw new IllegalArgumentException("a server needs at least one address to listen on");
    }
    if (eventLoops <= 0) {
      throw new IllegalArgumentException("eventLoops must be positive, not " + eventLoops);
    }
  }

  /** Standard limits, one event loop per processor, plain-text errors. */
  public static HttpServerOptions of(List<InetSocketAddress> binds, @Nullable TlsOptions tls) {
    return new HttpServerOptions(
        binds,
        tls,
        HttpLimits.standard(),
        Runtime.getRuntime().availableProcessors(),
        ErrorRenderer.plainText());
  }

  public HttpServerOptions withLimits(HttpLimits other) {
    return new HttpServerOptions(binds, tls, other, eventLoops, errors);
  }

  public HttpServerOptions withEventLoops(int count) {
    return new HttpServerOptions(binds, tls, limits, count, errors);
  }

  public HttpServerOptions withErrors(ErrorRenderer other) {
    return new HttpServerOptions(binds, tls, limits, eventLoops, other);
  }
}
