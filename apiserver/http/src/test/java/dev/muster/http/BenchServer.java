package dev.muster.http;

import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Run by hand, with {@link BenchLoad} in another process: answers every GET with 1 KB ({@code
 * /elsewhere}: from another thread; {@code /list}: with 1.6 MB in 1 000 pieces), and sends 1 KB
 * events to all streams of {@code /watch} at a fixed rate.
 *
 * <p>Arguments: events a second (default 25). Prints its port and process id.
 */
final class BenchServer {
  private static final ConcurrentHashMap<Executor, List<HttpStream>> STREAMS =
      new ConcurrentHashMap<>();

  private BenchServer() {}

  public static void main(String[] arguments) throws Exception {
    int rate = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 25;
    var answer = ServerResponse.of(200, "application/json", new byte[1024]);
    var list =
        new ServerResponse(
            200,
            List.of(new Header("content-type", "application/json")),
            Collections.nCopies(1000, new byte[1600]),
            false);
    var authority = new TestAuthority("bench");
    var server =
        HttpServer.start(
            HttpServerOptions.of(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                TlsOptions.of(authority.issue("localhost"))),
            exchange -> {
              if (exchange.path().equals("/watch")) {
                watch(exchange);
              } else if (exchange.path().equals("/list")) {
                exchange.respond(list);
              } else if (exchange.path().equals("/elsewhere")) {
                Thread.ofVirtual().start(() -> exchange.respond(answer));
              } else {
                exchange.respond(answer);
              }
            });
    System.out.println(
        server.addresses().getFirst().getPort() + " " + ProcessHandle.current().pid());
    var event = new byte[1024];
    long next = System.nanoTime();
    while (true) {
      next += 1_000_000_000L / rate;
      LockSupport.parkNanos(next - System.nanoTime());
      STREAMS.forEach((loop, streams) -> loop.execute(() -> deliver(streams, event)));
    }
  }

  private static void deliver(List<HttpStream> streams, byte[] event) {
    for (var stream : streams) {
      if (stream.writable()) {
        stream.write(event);
        stream.flush();
      }
    }
  }

  private static void watch(HttpExchange exchange) {
    var streams = STREAMS.computeIfAbsent(exchange.eventLoop(), loop -> new ArrayList<>());
    var stream =
        exchange.stream(
            new ServerResponse(
                200, List.of(new Header("content-type", "application/json")), List.of(), false));
    streams.add(stream);
    stream.onClose(() -> streams.remove(stream));
  }
}
