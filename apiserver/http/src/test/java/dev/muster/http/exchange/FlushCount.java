package dev.muster.http.exchange;

import dev.muster.http.HttpExchange;

/** How often something was really sent on a connection. */
public final class FlushCount {
  private FlushCount() {}

  public static long of(HttpExchange exchange) {
    return ((Exchange) exchange).peer.out().flushes();
  }
}
