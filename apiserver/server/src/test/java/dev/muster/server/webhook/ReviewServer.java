package dev.muster.server.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Identity;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A webhook for questions about rights, over HTTPS. */
final class ReviewServer implements AutoCloseable {
  /** What it says: a status of HTTP and a body. */
  record Said(int status, String body) {
    static Said of(String status) {
      return new Said(
          200,
          "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"status\":%s}"
              .formatted(status.replace('\'', '"')));
    }
  }

  /** The reviews that came in. */
  final List<JsonObject> reviews = new CopyOnWriteArrayList<>();

  /** The header Authorization of each. */
  final List<String> authorizations = new CopyOnWriteArrayList<>();

  private final HttpsServer server;

  ReviewServer(Function<JsonObject, Said> behaviour) {
    try {
      server = HttpsServer.create(new InetSocketAddress(TestHook.LOOPBACK, 0), 50);
      server.setHttpsConfigurator(new HttpsConfigurator(context()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/review", exchange -> serve(exchange, behaviour));
    server.start();
  }

  private static SSLContext context() {
    Identity identity = TestHook.identity(List.of("localhost"));
    return TestTls.showing(identity.key(), identity.chain());
  }

  private void serve(HttpExchange exchange, Function<JsonObject, Said> behaviour)
      throws IOException {
    var review = (JsonObject) JsonReader.read(exchange.getRequestBody().readAllBytes());
    reviews.add(review);
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    var said = behaviour.apply(review);
    var body = said.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(said.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Writes a kubeconfig that leads here. */
  Path kubeconfig(Path folder) {
    var authority = folder.resolve("hook-ca.pem");
    var file = folder.resolve("hook-" + server.getAddress().getPort() + ".yaml");
    try {
      Files.writeString(authority, TestHook.PEM);
      Files.writeString(
          file,
          """
          apiVersion: v1
          kind: Config
          clusters:
          - name: hook
            cluster: {server: "https://127.0.0.1:%d/review", certificate-authority: hook-ca.pem}
          users:
          - name: server
            user: {token: secret-word}
          contexts:
          - name: it
            context: {cluster: hook, user: server}
          current-context: it
          """
              .formatted(server.getAddress().getPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
