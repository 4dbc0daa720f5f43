package dev.muster.it.decisions;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.StubServer;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;

/** Safe for any thread. A real HTTPS server that refuses everything with a code of its own. */
final class RefusingWebhook implements AutoCloseable {
  static final int CODE = 418;

  private final StubServer server = new StubServer(RefusingWebhook::refuse);

  /** The {@code clientConfig} of a webhook that is asked here. */
  String client() {
    return server.client("/");
  }

  private static void refuse(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
      var response =
          JsonObject.of(
              "uid",
              review.object("request").string("uid"),
              "allowed",
              false,
              "status",
              JsonObject.of("code", CODE));
      var body = JsonWriter.bytes(review.without("request").with("response", response));
      StubServer.send(exchange, body);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
