package dev.muster.it.backends;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.access.pki.Authority;
import dev.muster.access.pki.CertificateNames;
import dev.muster.access.pki.Pem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

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

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger discovered = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);
  private final HttpsServer server;
  private final String authority;

  StubbornBackend() throws IOException, GeneralSecurityException {
    var issuer = Authority.create("stubborn-ca", Instant.now(), Duration.ofDays(1));
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
    var names = CertificateNames.of(List.of("localhost", "stubborn.stuck.svc"), List.of(LOOPBACK));
    var identity = authority.server("stubborn", names, Instant.now(), Duration.ofHours(1));
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

  int port() {
    return server.getAddress().getPort();
  }

  /** The authority as a {@code caBundle}. */
  String authority() {
    return authority;
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
        send(exchange, DISCOVERY);
        return;
      }
      if (path.endsWith("/quick")) {
        send(exchange, QUICK);
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

  private static void send(HttpExchange exchange, String json) throws IOException {
    var body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
