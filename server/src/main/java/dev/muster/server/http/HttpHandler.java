package dev.muster.server.http;

/** What the listeners call for every request. */
@FunctionalInterface
public interface HttpHandler {
  /**
   * Called on the connection's event loop when the whole request has arrived; must not block. The
   * answer may be given at once, or later from any thread.
   */
  void handle(HttpExchange exchange);
}
