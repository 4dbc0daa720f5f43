package dev.muster.server.chain;

import dev.muster.authentication.Credentials;
import dev.muster.http.HttpExchange;
import dev.muster.model.address.Ip;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Rejects WebSockets that pages of other sites open in a user's browser. A browser opens a
 * WebSocket for any page, presents the user's client certificate, and states the page's site only
 * in the {@code Origin} header. Clients that send a token are accepted from any origin, and so are
 * programs that send no {@code Origin}.
 */
final class WebSocketOrigin {
  private WebSocketOrigin() {}

  /**
   * @throws ApiException Forbidden when the page is of another site, or the origin is not a URL
   */
  static void check(HttpExchange exchange) {
    if (!"websocket".equalsIgnoreCase(exchange.header("upgrade"))) {
      return;
    }
    var sent = exchange.header("origin");
    if (sent == null) {
      return;
    }
    var origin = parse(sent);
    if (origin == null) {
      throw new ApiException(Reason.FORBIDDEN, "the origin of the WebSocket is none");
    }
    if (!hasToken(exchange) && !isOwn(origin, exchange.header("host")) && !isLocal(origin)) {
      throw new ApiException(
          Reason.FORBIDDEN, "the WebSocket is from another site, and without a token");
    }
  }

  private static @Nullable URI parse(String origin) {
    try {
      var uri = new URI(origin);
      return uri.getHost() == null ? null : uri;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean hasToken(HttpExchange exchange) {
    return exchange.header("authorization") != null
        || Credentials.bearerOfWebSocket(exchange.headers("sec-websocket-protocol")) != null;
  }

  private static boolean isOwn(URI origin, @Nullable String host) {
    var own = host == null ? null : parse("https://" + host);
    return own != null
        && own.getHost().equalsIgnoreCase(origin.getHost())
        && port(own) == port(origin);
  }

  private static int port(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : "http".equals(uri.getScheme()) ? 80 : 443;
  }

  /**
   * Whether the page is served by the user's own machine, for example through {@code kubectl
   * proxy}.
   */
  private static boolean isLocal(URI origin) {
    var host = origin.getHost();
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      return Ip.parse(host.replaceAll("^\\[|]$", "")).isLoopback();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
