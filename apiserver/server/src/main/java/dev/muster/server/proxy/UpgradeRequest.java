package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests that ask to switch to another protocol, such as WebSocket or SPDY (RFC 9110, 7.8). */
public final class UpgradeRequest {
  private UpgradeRequest() {}

  /** The protocol that the client asks for, on a connection that can switch; "" for none. */
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

  /** The headers for the client after the backend has agreed. */
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
