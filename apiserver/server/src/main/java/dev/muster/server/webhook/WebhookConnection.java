package dev.muster.server.webhook;

import io.netty.handler.codec.http.FullHttpRequest;

/** A connection to a webhook. Safe for any thread. */
sealed interface WebhookConnection permits Http1Connection, Http2Connection {
  /** Sends a request, whose answer or failure completes the exchange. */
  void send(FullHttpRequest request, WebhookExchange exchange);

  /** Whether another request can be sent now. */
  boolean isUsable();

  /** Sends no more requests; ends when those under way have. */
  void retire();
}
