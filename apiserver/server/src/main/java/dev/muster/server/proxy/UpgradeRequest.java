package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests to go on in another protocol, such as WebSocket or SPDY (RFC 9110, 7.8). */
public final class UpgradeRequest {
  private UpgradeRequest() {}

  /** The protocol that the client asks for, on a connection that can be switched; "" for none. */
  public static String protocol(HttpExchange exchange) {
    var protocol = exchange.header("upgrade");
    if (protocol == null || !exchange.canSwitchProtocols()) {
      return "";
    }
    boolean asked =
        exchange.headers("connection").stream()
            .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
    return asked ? protocol.strip() : "";
  }

  /** What a client is told of a backend that agrees. */
  public static List<Header> agreed(BackendResponse response) {
    var headers = new ArrayList<Header>();
    headers.add(new Header("connection", "Upgrade"));
    for (var header : response.headers()) {
      if (header.name().equals("upgrade")) {
        headers.add(header);
      }
    }
    headers.addAll(ProxyHeaders.returned(response));
    return headers;
  }
}
