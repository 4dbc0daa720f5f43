package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.http.limits.ConnectionLimits;
import dev.muster.http.limits.HttpTimeouts;
import dev.muster.http.listen.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who gets a connection when there are not enough of them, and what strangers get on theirs. */
class ConnectionsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Only {@code /known} is asked by somebody who could be authenticated. */
  private static final HttpHandler WHO =
      exchange -> {
        exchange.identified(exchange.path().equals("/known"));
        exchange.respond(
            ServerResponse.of(200, "text/plain", exchange.path().getBytes(StandardCharsets.UTF_8)));
      };

  private static UnaryOperator<HttpServerOptions> limits(ConnectionLimits connections) {
    return options ->
        options.withLimits(
            options
                .limits()
                .with(connections)
                .with(new HttpTimeouts(Duration.ofSeconds(2), LONG, LONG, LONG, LONG, LONG)));
  }

  private static List<Socket> silent(TestServer server, int count) throws IOException {
    var silent = new ArrayList<Socket>();
    for (int i = 0; i < count; i++) {
      silent.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }
    return silent;
  }

  private static void close(List<? extends AutoCloseable> all) throws Exception {
    for (var each : all) {
      each.close();
    }
  }

  @Test
  @Tag("slow")
  void thousandsOfSilentConnectionsDoNotKeepOthersOut() throws Exception {
    assumeTrue(
        ConnectionLimits.availableDescriptors() > 8000, "this process may open too few files");
    try (var server = TestServer.start(WHO)) {
      var silent = silent(server, 3000);
      try (var client = new RawHttp1(server.port())) {
        assertThat(client.get("/").answer().status()).isEqualTo(200);
      }
      close(silent);
    }
  }

  @Test
  @Tag("slow")
  void theOldestSilentConnectionsGoFirst() throws Exception {
    try (var server = TestServer.start(WHO, limits(new ConnectionLimits(1000, 8, 8)))) {
      var silent = silent(server, 100);
      try (var client = new RawHttp1(server.port())) {
        assertThat(client.get("/").answer().status()).isEqualTo(200);
      }
      assertThat(server.server.counters().connectionsReplaced.sum()).isPositive();
      var oldest = silent.getFirst();
      oldest.setSoTimeout(10_000);
      assertThat(oldest.getInputStream().read()).isEqualTo(-1);
      close(silent);
    }
  }

  /** They say hello, and nothing after it. */
  @Test
  @Tag("slow")
  void handshakesThatStallDoNotKeepOthersOut() throws Exception {
    try (var server = TestServer.start(WHO, limits(new ConnectionLimits(1000, 8, 8)))) {
      var hello = ClientHello.bytes();
      var stalled = silent(server, 100);
      for (var socket : stalled) {
        try {
          socket.getOutputStream().write(hello);
        } catch (IOException e) {
          // Its place was needed.
        }
      }
      try (var client = new RawHttp1(server.port())) {
        assertThat(client.get("/").answer().status()).isEqualTo(200);
      }
      close(stalled);
    }
  }

  @Test
  void strangersMakeRoomAndThoseWhoAreKnownStay() throws Exception {
    try (var server = TestServer.start(WHO, limits(new ConnectionLimits(4, 4, 4)));
        var known = new RawHttp1(server.port())) {
      assertThat(known.get("/known").answer().status()).isEqualTo(200);
      var strangers = new ArrayList<RawHttp1>();
      for (int i = 0; i < 12; i++) {
        var stranger = new RawHttp1(server.port());
        strangers.add(stranger);
        assertThat(stranger.get("/").answer().status()).isEqualTo(200);
      }
      assertThat(strangers.getFirst().closes()).isTrue();
      assertThat(strangers.getLast().get("/").answer().status()).isEqualTo(200);
      assertThat(known.get("/known").answer().status()).isEqualTo(200);
      assertThat(server.server.counters().connectionsReplaced.sum()).isEqualTo(9);
      close(strangers);
    }
  }

  @Test
  void whenAllAreKnownFurtherOnesAreClosedAtOnce() throws Exception {
    try (var server = TestServer.start(WHO, limits(new ConnectionLimits(3, 16, 16)))) {
      var open = new ArrayList<RawHttp1>();
      for (int i = 0; i < 3; i++) {
        var client = new RawHttp1(server.port());
        open.add(client);
        assertThat(client.get("/known").answer().status()).isEqualTo(200);
      }
      assertThatThrownBy(() -> new RawHttp1(server.port())).isInstanceOf(IOException.class);
      assertThat(server.server.counters().connectionsRefused.sum()).isEqualTo(1);
      assertThat(open.getFirst().get("/").answer().status()).isEqualTo(200);
      open.getLast().close();
      Awaitility.await().until(() -> server.server.counters().openConnections() == 2);
      try (var late = new RawHttp1(server.port())) {
        assertThat(late.get("/").answer().status()).isEqualTo(200);
      }
      close(open);
    }
  }

  @Test
  void strangersHaveAHundredStreamsAndTheKnownMore() throws Exception {
    var waiting = new ConcurrentLinkedQueue<HttpExchange>();
    HttpHandler handler =
        exchange -> {
          if (exchange.path().equals("/wait")) {
            waiting.add(exchange);
          } else {
            WHO.handle(exchange);
          }
        };
    try (var server = TestServer.start(handler);
        var stranger = new RawHttp2(server.port());
        var known = new RawHttp2(server.port())) {
      for (int i = 0; i < 110; i++) {
        stranger.get(2 * i + 1, "/wait");
      }
      Awaitility.await().until(() -> refused(stranger) == 10);
      assertThat(waiting).hasSize(100);
      assertThat(streams(stranger)).isEqualTo(100);
      known.get(1, "/known");
      Awaitility.await().until(() -> streams(known) == 250);
      for (int i = 1; i < 260; i++) {
        known.get(2 * i + 1, "/wait");
      }
      Awaitility.await().until(() -> refused(known) == 9);
      assertThat(waiting).hasSize(350);
    }
  }

  private static long refused(RawHttp2 client) {
    return client.frames.stream()
        .filter(frame -> frame.type() == RawHttp2.RST_STREAM && frame.code(0) == 7)
        .count();
  }

  /** The last number of streams that the server's settings allowed. */
  private static long streams(RawHttp2 client) {
    long streams = -1;
    for (var frame : client.frames) {
      if (frame.type() == RawHttp2.SETTINGS) {
        for (int at = 0; at < frame.payload().length; at += 6) {
          if (frame.payload()[at] == 0 && frame.payload()[at + 1] == 3) {
            streams = frame.code(at + 2);
          }
        }
      }
    }
    return streams;
  }

  @Test
  void aStrangersHttp2ConnectionEndsWithItsAnswer() throws Exception {
    try (var server = TestServer.start(WHO);
        var stranger = new RawHttp2(server.port());
        var known = new RawHttp2(server.port());
        var http1 = new RawHttp1(server.port())) {
      known.get(1, "/known");
      stranger.get(1, "/");
      Awaitility.await().until(() -> stranger.ended(1));
      Awaitility.await().until(() -> stranger.wentAwayWith(0));
      Awaitility.await().until(() -> stranger.closed);
      known.get(3, "/known");
      Awaitility.await().until(() -> known.ended(3));
      assertThat(known.frames).noneMatch(frame -> frame.type() == RawHttp2.GOAWAY);
      assertThat(http1.get("/").answer().status()).isEqualTo(200);
      assertThat(http1.get("/").answer().status()).isEqualTo(200);
    }
  }

  @Test
  void theLimitsFitIntoWhatTheProcessMayOpen() {
    assertThat(ConnectionLimits.standard().within(1_000_000))
        .isEqualTo(ConnectionLimits.standard());
    assertThat(ConnectionLimits.standard().within(300))
        .isEqualTo(new ConnectionLimits(300, 150, 150));
    assertThat(ConnectionLimits.standard().within(1)).isEqualTo(new ConnectionLimits(1, 1, 1));
    assertThat(ConnectionLimits.availableDescriptors()).isPositive();
  }
}
