package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Selects the headers that are forwarded. Headers of one connection are not forwarded (RFC 9110,
 * 7.6.1), and the client's credentials are not sent to pods and Services.
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

  /** Response headers that only this server sets, including its CORS decision. */
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
   * The headers of a request for a backend.
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

  /** Whether the header contains credentials, impersonation or a front proxy's user. */
  private static boolean isOfTheClient(String name) {
    return name.equals("authorization")
        || name.startsWith("impersonate-")
        || name.startsWith("x-remote-");
  }

  /** Removes the token that browsers send among the protocols of a WebSocket. */
  private static String withoutToken(String protocols) {
    var others = new ArrayList<String>();
    for (var protocol : protocols.split(",")) {
      if (!protocol.strip().startsWith(TOKEN)) {
        others.add(protocol.strip());
      }
    }
    return String.join(", ", others);
  }

  /** The headers of a backend's response for the client, except for its location. */
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

  /** The names that a {@code Connection} header lists as headers of the connection. */
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
