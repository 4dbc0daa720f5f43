package dev.muster.it.backends;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.testing.StubServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Safe for any thread. A real HTTPS server that never comes to an end: at {@code /hang} it says
 * nothing, at {@code /drip} a byte a second, at {@code /flood} as much as anybody takes. As an API
 * server it answers for discovery and for things called {@code quick}; all others hang.
 */
final class StubbornBackend implements AutoCloseable {
  /** What an API server is asked to see whether it is there. */
  private static final String DISCOVERY =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"stubborn.example.com/v1",
       "resources":[{"name":"things","namespaced":true,"kind":"Thing","verbs":["get","list"]}]}
      """;

  private static final String QUICK =
      """
      {"kind":"Thing","apiVersion":"stubborn.example.com/v1","metadata":{"name":"quick"}}
      """;

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger discovered = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);
  private final StubServer server =
      new StubServer(this::answer, List.of("localhost", "stubborn.stuck.svc"));

  int port() {
    return server.port();
  }

  /** The authority as a {@code caBundle}. */
  String authority() {
    return server.authority();
  }

  /** How many requests it has been sent that it keeps waiting. */
  int asked() {
    return asked.get();
  }

  /** How often somebody has looked whether the API server is there. */
  int discovered() {
    return discovered.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      var path = exchange.getRequestURI().getPath();
      if (path.startsWith("/apis/") && path.split("/", -1).length == 4) {
        discovered.incrementAndGet();
        StubServer.send(exchange, DISCOVERY.getBytes(StandardCharsets.UTF_8));
        return;
      }
      if (path.endsWith("/quick")) {
        StubServer.send(exchange, QUICK.getBytes(StandardCharsets.UTF_8));
        return;
      }
      asked.incrementAndGet();
      switch (path) {
        case "/drip" -> {
          exchange.sendResponseHeaders(200, 0);
          do {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
          } while (!end.await(1, TimeUnit.SECONDS));
        }
        case "/flood" -> {
          var much = new byte[1 << 16];
          Arrays.fill(much, (byte) ' ');
          exchange.sendResponseHeaders(200, 0);
          while (end.getCount() > 0) {
            exchange.getResponseBody().write(much);
          }
        }
        default -> end.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end.countDown();
    server.close();
  }
}
