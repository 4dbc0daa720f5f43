package dev.muster.it.decisions;

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Safe for any thread. A real HTTPS server that refuses everything with a code of its own. */
final class RefusingWebhook implements AutoCloseable {
  static final int CODE = 418;

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String authority;

  RefusingWebhook() throws IOException, GeneralSecurityException {
    var issuer = Authority.create("hook-ca", Instant.now(), Duration.ofDays(1));
    server = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(issuer)));
    server.setExecutor(threads);
    server.createContext("/", RefusingWebhook::refuse);
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

  /** The {@code clientConfig} of a webhook that is asked here. */
  String client() {
    return "{\"url\":\"https://127.0.0.1:%d/\",\"caBundle\":\"%s\"}"
        .formatted(server.getAddress().getPort(), authority);
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
