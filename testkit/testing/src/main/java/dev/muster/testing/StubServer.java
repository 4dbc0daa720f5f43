package dev.muster.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A real HTTPS server on the loopback interface with its own certificate authority. The test's
 * handler answers each request on a virtual thread. Thread-safe.
 */
public final class StubServer implements AutoCloseable {
  private static final String ISSUER = "stub-ca";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String authority;

  /** The certificate is for these names and the loopback address. */
  public StubServer(HttpHandler handler, List<String> names) {
    this(handler, names, List.of());
  }

  /**
   * @param clients the authorities of client certificates; empty when clients need none
   */
  public StubServer(HttpHandler handler, List<String> names, List<X509Certificate> clients) {
    var issuerKeys = TestCertificates.keys();
    var keys = TestCertificates.keys();
    var issuer =
        TestCertificates.sign(issuerKeys, ISSUER, ISSUER, issuerKeys.getPublic(), List.of());
    var certificate = TestCertificates.sign(issuerKeys, ISSUER, "stub", keys.getPublic(), names);
    try {
      var loopback = InetAddress.ofLiteral("127.0.0.1");
      server = HttpsServer.create(new InetSocketAddress(loopback, 0), 0);
      authority =
          "-----BEGIN CERTIFICATE-----\n"
              + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(issuer.getEncoded())
              + "\n-----END CERTIFICATE-----\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
    var tls =
        clients.isEmpty()
            ? TestTls.showing(keys.getPrivate(), List.of(certificate))
            : TestTls.showing(keys.getPrivate(), List.of(certificate), clients);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            var wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setNeedClientAuth(!clients.isEmpty());
            parameters.setSSLParameters(wanted);
          }
        });
    server.setExecutor(threads);
    server.createContext("/", handler);
    server.start();
  }

  public StubServer(HttpHandler handler) {
    this(handler, List.of("localhost"));
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** The authority's certificate in Base64-encoded PEM, as for {@code caBundle}. */
  public String authority() {
    return Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
  }

  /** The {@code clientConfig} of a webhook at that path. */
  public String client(String path) {
    return "{\"url\":\"https://127.0.0.1:%d%s\",\"caBundle\":\"%s\"}"
        .formatted(port(), path, authority());
  }

  /** Answers 200 with that JSON. */
  public static void send(HttpExchange exchange, byte[] json) throws IOException {
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(200, json.length);
    exchange.getResponseBody().write(json);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
