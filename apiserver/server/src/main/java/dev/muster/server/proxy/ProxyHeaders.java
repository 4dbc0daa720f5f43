package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which headers pass. What belongs to one connection does not go on over the next one (RFC 9110,
 * 7.6.1); what a client showed to us is not shown to what users run.
 */
public final class ProxyHeaders {
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "http2-settings",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** Of answers: what the server says itself, and who else may read them, which is its decision. */
  private static final Set<String> OURS =
      Set.of(
          "access-control-allow-credentials",
          "access-control-allow-headers",
          "access-control-allow-methods",
          "access-control-allow-origin",
          "audit-id",
          "date",
          "x-kubernetes-pf-flowschema-uid",
          "x-kubernetes-pf-prioritylevel-uid");

  private static final String PROTOCOLS = "sec-websocket-protocol";
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";
  private static final String FORWARDED_FOR = "x-forwarded-for";
  private static final String FORWARDED_URI = "x-forwarded-uri";

  private ProxyHeaders() {}

  /**
   * What a backend is told of a request.
   *
   * @param host the header for requests that have none
   * @param uri the path under which the client sees the backend
   */
  public static List<Header> forwarded(HttpExchange exchange, String host, String uri) {
    var dropped = named(exchange.headers("connection"));
    var headers = new ArrayList<Header>();
    var given = exchange.header("host");
    headers.add(new Header("host", given == null ? host : given));
    var route = new ArrayList<String>();
    for (var header : exchange.headers()) {
      var name = header.getKey();
      if (name.equals(FORWARDED_FOR)) {
        route.add(header.getValue());
      } else if (name.equals(PROTOCOLS)) {
        var others = withoutToken(header.getValue());
        if (!others.isEmpty()) {
          headers.add(new Header(name, others));
        }
      } else if (!isOfTheClient(name)
          && !name.equals("host")
          && !name.equals(FORWARDED_URI)
          && !OF_THE_CONNECTION.contains(name)
          && !dropped.contains(name)) {
        headers.add(new Header(name, header.getValue()));
      }
    }
    route.add(exchange.remoteAddress().getAddress().getHostAddress());
    headers.add(new Header(FORWARDED_FOR, String.join(", ", route)));
    headers.add(new Header(FORWARDED_URI, uri));
    return headers;
  }

  /** Who the client is, or wants to be, or is said to be. */
  private static boolean isOfTheClient(String name) {
    return name.equals("authorization")
        || name.startsWith("impersonate-")
        || name.startsWith("x-remote-");
  }

  /** Browsers send their token among the protocols of a WebSocket. */
  private static String withoutToken(String protocols) {
    var others = new ArrayList<String>();
    for (var protocol : protocols.split(",")) {
      if (!protocol.strip().startsWith(TOKEN)) {
        others.add(protocol.strip());
      }
    }
    return String.join(", ", others);
  }

  /** What a client is told of a backend's answer, but for its location. */
  public static List<Header> returned(BackendResponse response) {
    var dropped =
        named(
            response.headers().stream()
                .filter(header -> header.name().equals("connection"))
                .map(Header::value)
                .toList());
    return response.headers().stream()
        .filter(header -> !OF_THE_CONNECTION.contains(header.name()))
        .filter(header -> !OURS.contains(header.name()))
        .filter(header -> !dropped.contains(header.name()))
        .toList();
  }

  /** The headers that a {@code Connection} header says are about the connection, too. */
  private static Set<String> named(List<String> connection) {
    var names = new HashSet<String>();
    for (var value : connection) {
      for (var name : value.split(",")) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }
}
