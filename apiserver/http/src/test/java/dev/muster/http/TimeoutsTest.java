package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.limits.ConnectionLimits;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.limits.HttpTimeouts;
import dev.muster.http.listen.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class TimeoutsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final HttpHandler OK =
      exchange -> exchange.respond(ServerResponse.of(200, "text/plain", new byte[] {'k'}));

  private static UnaryOperator<HttpServerOptions> timeouts(HttpTimeouts timeouts) {
    return options -> options.withLimits(HttpLimits.standard().with(timeouts));
  }

  private static TestServer headerTimeout() {
    return TestServer.start(OK, timeouts(new HttpTimeouts(LONG, SHORT, LONG, LONG, LONG, LONG)));
  }

  @Test
  void headersThatDripInAreCutOff() throws Exception {
    try (var server = headerTimeout();
        var client = answered(server.port());
        var silent = new RawHttp1(server.port());
        var silentHttp2 = new RawHttp2(server.port())) {
      client.send("GET / HTTP/1.1\r\nhost: x\r\n");
      var dripping =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 1000; i++) {
                        client.send("x-" + i + ": y\r\n");
                        Thread.sleep(20);
                      }
                    } catch (Exception e) {
                      // Closed, as it should be.
                    }
                  });
      assertThat(client.answer().status()).isEqualTo(408);
      assertThat(client.closes()).isTrue();
      assertThat(silent.answer().status()).isEqualTo(408);
      Awaitility.await().until(() -> silentHttp2.closed);
      dripping.join(Duration.ofSeconds(10));
      assertThat(server.server.counters().timeouts.sum()).isGreaterThanOrEqualTo(3);
    }
  }

  /** A connection with one request behind it, however often the machine is too slow for that. */
  private static RawHttp1 answered(int port) throws Exception {
    while (true) {
      var client = new RawHttp1(port);
      try {
        if (client.get("/").answer().status() == 200) {
          return client;
        }
      } catch (IOException e) {
        // Cut off before the request was there.
      }
      client.close();
    }
  }

  @Test
  void bodiesThatStallAreCutOff() throws Exception {
    try (var server =
            TestServer.start(OK, timeouts(new HttpTimeouts(LONG, LONG, SHORT, LONG, LONG, LONG)));
        var client = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12345");
      assertThat(client.answer().status()).isEqualTo(408);
      assertThat(client.closes()).isTrue();
      http2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.block("POST", "/"));
      Awaitility.await().until(() -> http2.ended(1));
      http2.get(3, "/");
      Awaitility.await().until(() -> http2.ended(3));
      assertThat(http2.closed).isFalse();
    }
  }

  @Test
  void bodiesThatDripForTooLongAreCutOff() throws Exception {
    try (var server =
            TestServer.start(OK, timeouts(new HttpTimeouts(LONG, LONG, LONG, SHORT, LONG, LONG)));
        var client = new RawHttp1(server.port())) {
      client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n");
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  for (int i = 0; i < 1000; i++) {
                    client.send("x");
                    Thread.sleep(20);
                  }
                } catch (Exception e) {
                  // Closed, as it should be.
                }
              });
      assertThat(client.answer().status()).isEqualTo(408);
    }
  }

  @Test
  void idleConnectionsAreClosedAndBusyOnesAreNot() throws Exception {
    var waiting = new CopyOnWriteArrayList<HttpExchange>();
    try (var server =
            TestServer.start(
                exchange -> {
                  if (exchange.path().startsWith("/wait")) {
                    waiting.add(exchange);
                  } else {
                    OK.handle(exchange);
                  }
                },
                options ->
                    timeouts(new HttpTimeouts(LONG, LONG, LONG, LONG, SHORT, LONG))
                        .apply(options)
                        .withEventLoops(1));
        var busy = busy(server.port(), waiting);
        var busyHttp2 = busyHttp2(server.port(), waiting);
        var idle = answered(server.port());
        var idleHttp2 = new RawHttp2(server.port())) {
      idleHttp2.get(1, "/");
      assertThat(idle.closes()).isTrue();
      Awaitility.await().until(() -> idleHttp2.closed);
      assertThat(busyHttp2.closed).isFalse();
      waiting.forEach(OK::handle);
      assertThat(busy.answer().body()).isEqualTo("k");
      Awaitility.await().until(() -> busyHttp2.ended(1));
    }
  }

  /** A connection with a request that waits; one that was idle for too long before is left. */
  private static RawHttp1 busy(int port, List<HttpExchange> waiting) throws Exception {
    for (int attempt = 0; ; attempt++) {
      var path = "/wait/1/" + attempt;
      var client = new RawHttp1(port);
      try {
        client.get(path);
        Awaitility.await()
            .atMost(Duration.ofSeconds(5))
            .until(() -> waiting.stream().anyMatch(exchange -> exchange.path().equals(path)));
        return client;
      } catch (IOException | ConditionTimeoutException e) {
        // Closed before the request was there.
      }
      client.close();
    }
  }

  private static RawHttp2 busyHttp2(int port, List<HttpExchange> waiting) throws Exception {
    for (int attempt = 0; ; attempt++) {
      var path = "/wait/2/" + attempt;
      var client = new RawHttp2(port);
      try {
        client.get(1, path);
        Awaitility.await()
            .until(
                () ->
                    client.closed
                        || waiting.stream().anyMatch(exchange -> exchange.path().equals(path)));
        if (!client.closed) {
          return client;
        }
      } catch (IOException e) {
        // Closed before the request was there.
      }
      client.close();
    }
  }

  @Test
  void handshakesThatNeverHappenAreCutOff() throws Exception {
    try (var server =
            TestServer.start(OK, timeouts(new HttpTimeouts(SHORT, LONG, LONG, LONG, LONG, LONG)));
        var silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      silent.setSoTimeout(60_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void silentHandshakesCannotKeepOthersOutForLong() throws Exception {
    var standard = HttpLimits.standard();
    try (var server =
        TestServer.start(
            OK,
            options ->
                options.withLimits(
                    new HttpLimits(
                        standard.maxBodyBytes(),
                        standard.maxBufferedBodyBytes(),
                        standard.maxOutgoingBytes(),
                        standard.maxHeaderBytes(),
                        new ConnectionLimits(1000, 4, 4),
                        100,
                        new HttpTimeouts(LONG, LONG, LONG, LONG, LONG, LONG),
                        standard.floods())))) {
      var silent = new ArrayList<Socket>();
      for (int i = 0; i < 12; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      try (var client = new RawHttp1(server.port())) {
        assertThat(client.get("/").answer().body()).isEqualTo("k");
      }
      for (var socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void aClientThatTakesNothingIsCutOff() throws Exception {
    var gone = new AtomicInteger();
    var large = new ServerResponse(200, List.of(), List.of(new byte[64 << 20]), false);
    try (var server =
            TestServer.start(
                exchange -> {
                  if (exchange.path().equals("/small")) {
                    OK.handle(exchange);
                  } else {
                    exchange.onCancel(gone::incrementAndGet);
                    exchange.respond(large);
                  }
                },
                timeouts(new HttpTimeouts(LONG, LONG, LONG, LONG, LONG, Duration.ofMillis(500))));
        var client = new RawHttp1(server.port(), 8192);
        var http2 = new RawHttp2(server.port())) {
      client.get("/large");
      http2.get(1, "/large");
      Awaitility.await().until(() -> gone.get() == 2);
      assertThat(http2.frames).anyMatch(f -> f.type() == RawHttp2.RST_STREAM && f.stream() == 1);
      http2.get(3, "/small");
      assertThat(http2.closed).isFalse();
    }
  }
}
