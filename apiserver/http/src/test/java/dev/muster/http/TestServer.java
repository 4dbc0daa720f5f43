package dev.muster.http;

import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** A server on a free port of the loopback, with a certificate of its own authority. */
final class TestServer implements AutoCloseable {
  static final TestAuthority AUTHORITY = new TestAuthority("test-ca");
  private static final TlsMaterial MATERIAL = AUTHORITY.issue("localhost");
  final HttpServer server;

  private TestServer(HttpServer server) {
    this.server = server;
  }

  static TestServer start(HttpHandler handler) {
    return start(handler, UnaryOperator.identity());
  }

  /** The handler is called when the whole request has arrived. */
  static TestServer start(HttpHandler handler, UnaryOperator<HttpServerOptions> change) {
    var options = change.apply(options());
    return start(options, HttpHandler.ofWhole(options.errors(), handler));
  }

  /** The handler is called when the headers have arrived. */
  static TestServer startAtHeaders(HttpHandler handler, UnaryOperator<HttpServerOptions> change) {
    return start(change.apply(options()), handler);
  }

  private static HttpServerOptions options() {
    return HttpServerOptions.of(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            TlsOptions.of(MATERIAL))
        .withEventLoops(2);
  }

  private static TestServer start(HttpServerOptions options, HttpHandler handler) {
    try {
      return new TestServer(HttpServer.start(options, handler));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return server.addresses().getFirst().getPort();
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + port() + path);
  }

  static HttpClient client(HttpClient.Version version) {
    return client(version, AUTHORITY.client());
  }

  static HttpClient client(HttpClient.Version version, SSLContext tls) {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(tls)
        .connectTimeout(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public void close() {
    server.close();
  }
}
