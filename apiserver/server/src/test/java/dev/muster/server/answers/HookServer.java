package dev.muster.server.answers;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.StubServer;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A real HTTPS server with admission webhooks, which remembers what it was asked. */
final class HookServer implements AutoCloseable {
  /** The {@code request} of every review, with the path that it came to as {@code path}. */
  final List<JsonObject> asked = new CopyOnWriteArrayList<>();

  private final Map<String, Function<JsonObject, JsonObject>> answers = new ConcurrentHashMap<>();
  private final StubServer server = new StubServer(this::answer);

  /** What the webhook at that path says from now on: the {@code response} to a request. */
  void at(String path, Function<JsonObject, JsonObject> answer) {
    answers.put(path, answer);
  }

  /** The {@code clientConfig} of the webhook at that path. */
  String client(String path) {
    return server.client(path);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
      var request = review.object("request");
      var path = exchange.getRequestURI().getPath();
      asked.add(request.with("path", path));
      var response =
          Objects.requireNonNull(answers.get(path))
              .apply(request)
              .with("uid", request.string("uid"));
      var body = JsonWriter.bytes(review.without("request").with("response", response));
      StubServer.send(exchange, body);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
