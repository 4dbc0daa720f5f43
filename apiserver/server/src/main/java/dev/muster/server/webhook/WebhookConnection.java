package dev.muster.server.webhook;

import io.netty.handler.codec.http.FullHttpRequest;

/** A connection to a webhook. Thread-safe. */
sealed interface WebhookConnection permits Http1Connection, Http2Connection {
  /** Sends a request; its response or failure completes the exchange. */
  void send(FullHttpRequest request, WebhookExchange exchange);

  /** Whether another request can be sent now. */
  boolean isUsable();

  /** Sends no more requests, and closes after the running ones. */
  void retire();
}
