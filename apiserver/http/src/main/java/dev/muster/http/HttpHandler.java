package dev.muster.http;

/** What the listeners call for every request. */
@FunctionalInterface
public interface HttpHandler {
  /**
   * Called on the connection's event loop when the headers of the request have arrived; must not
   * block. The body comes to who asks for it with {@link HttpExchange#receive}. The answer may be
   * given at once, or later from any thread.
   */
  void handle(HttpExchange exchange);

  /**
   * A handler that is called when the whole request has arrived. All bodies have one owner; those
   * that cannot be taken are answered with the given words.
   */
  static HttpHandler ofWhole(ErrorRenderer errors, HttpHandler handler) {
    var share = new BodyShare("", false);
    return exchange ->
        exchange.receive(
            share,
            new BodyReceiver() {
              @Override
              public void whole() {
                handler.handle(exchange);
              }

              @Override
              public void refused(int status, String message) {
                exchange.respond(errors.render(status, message));
              }
            });
  }
}
