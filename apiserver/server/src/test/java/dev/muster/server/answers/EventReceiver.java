package dev.muster.server.answers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.KubeconfigFile;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** A real HTTPS server that takes audit events, when and as a test wants it. */
final class EventReceiver implements AutoCloseable {
  static final String TOKEN = "of-the-webhook";
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  final List<JsonObject> lists = new CopyOnWriteArrayList<>();
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** How many of the next posts are answered with an error. */
  final AtomicInteger failing = new AtomicInteger();

  /** Posts wait for it. */
  volatile CountDownLatch open = new CountDownLatch(0);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Authority issuer = Authority.create("audit-ca", Instant.now(), Duration.ofDays(1));
  private final HttpsServer server;

  EventReceiver() throws IOException, GeneralSecurityException {
    server = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context()));
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  private SSLContext context() {
    var names = CertificateNames.of(List.of("events.test"), List.of(LOOPBACK));
    var identity = issuer.server("events", names, Instant.now(), Duration.ofHours(1));
    return TestTls.showing(identity.key(), identity.chain());
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      open.await();
      requests.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  exchange.getRequestHeaders().getFirst("Authorization")));
      if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      lists.add((JsonObject) JsonReader.read(body));
      exchange.sendResponseHeaders(200, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  List<JsonObject> events() {
    return lists.stream().flatMap(list -> list.array("items").objects().stream()).toList();
  }

  Path kubeconfig(Path directory) throws IOException {
    var url = "https://127.0.0.1:" + server.getAddress().getPort() + "/events";
    return Files.writeString(
        directory.resolve("webhook.kubeconfig"),
        KubeconfigFile.of("audit", url, List.of(issuer.certificate()), "muster", TOKEN));
  }

  @Override
  public void close() {
    open.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
