package dev.muster.http;

/** Handles every request that the listeners receive. */
@FunctionalInterface
public interface HttpHandler {
  /**
   * Handles a request whose headers have arrived. The connection's event loop calls it; it must not
   * block. A handler that needs the body calls {@link HttpExchange#receive}. It may answer at once,
   * or later from any thread.
   */
  void handle(HttpExchange exchange);

  /**
   * A handler that is called when the whole request has arrived. All bodies have one owner. A body
   * that is refused is answered with an error of the renderer.
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
