package dev.muster.server.http.exchange;

import dev.muster.server.http.HttpExchange;

/** How often something was really sent on a connection. */
public final class FlushCount {
  private FlushCount() {}

  public static long of(HttpExchange exchange) {
    return ((Exchange) exchange).peer.out().flushes();
  }
}
