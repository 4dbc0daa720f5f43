package dev.muster.server.answers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.access.pki.Authority;
import dev.muster.access.pki.CertificateNames;
import dev.muster.access.pki.Pem;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A real HTTPS server with admission webhooks, which remembers what it was asked. */
final class HookServer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  /** The {@code request} of every review, with the path that it came to as {@code path}. */
  final List<JsonObject> asked = new CopyOnWriteArrayList<>();

  private final Map<String, Function<JsonObject, JsonObject>> answers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String authority;

  HookServer() throws IOException, GeneralSecurityException {
    var issuer = Authority.create("hook-ca", Instant.now(), Duration.ofDays(1));
    server = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(issuer)));
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    authority =
        Base64.getEncoder()
            .encodeToString(Pem.of(issuer.certificate()).getBytes(StandardCharsets.UTF_8));
  }

  private static SSLContext context(Authority authority)
      throws IOException, GeneralSecurityException {
    var names = CertificateNames.of(List.of("localhost"), List.of(LOOPBACK));
    var identity = authority.server("hook", names, Instant.now(), Duration.ofHours(1));
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "own", identity.key(), new char[0], identity.chain().toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  /** What the webhook at that path says from now on: the {@code response} to a request. */
  void at(String path, Function<JsonObject, JsonObject> answer) {
    answers.put(path, answer);
  }

  /** The {@code clientConfig} of the webhook at that path. */
  String client(String path) {
    return "{\"url\":\"https://127.0.0.1:%d%s\",\"caBundle\":\"%s\"}"
        .formatted(server.getAddress().getPort(), path, authority);
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
      exchange.getResponseHeaders().add("content-type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
