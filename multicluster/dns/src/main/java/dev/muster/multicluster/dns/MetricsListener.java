package dev.muster.multicluster.dns;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code /metrics}, {@code /livez} and {@code /readyz} on virtual threads. It is ready when
 * the names have been loaded.
 */
public final class MetricsListener implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private MetricsListener(HttpServer server) {
    this.server = server;
  }

  public static MetricsListener start(
      InetSocketAddress address, DnsMetrics metrics, ZoneIndex index) throws IOException {
    var listener = new MetricsListener(HttpServer.create(address, 0));
    var server = listener.server;
    server.setExecutor(listener.threads);
    server.createContext("/", exchange -> answer(exchange, 404, "not found\n"));
    server.createContext("/livez", exchange -> answer(exchange, 200, "ok\n"));
    server.createContext(
        "/readyz",
        exchange -> {
          if (index.complete()) {
            answer(exchange, 200, "ok\n");
          } else {
            answer(exchange, 503, "services are not read yet\n");
          }
        });
    server.createContext("/metrics", exchange -> answer(exchange, 200, text(metrics)));
    server.start();
    return listener;
  }

  private static String text(DnsMetrics metrics) throws IOException {
    var text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, metrics.registry().scrape());
    return text.toString(StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    try (exchange) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
