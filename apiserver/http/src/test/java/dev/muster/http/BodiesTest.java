package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.listen.HttpServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Requests are handled when their headers are there; bodies come to who asks for them. */
class BodiesTest {
  private static final int MIB = 1 << 20;
  private static final String POST = "POST / HTTP/1.1\r\nhost: x\r\n";
  private static final ServerResponse UNAUTHORIZED = text(401, "who is it");

  /** Only who names himself may send a body; {@code reserved} is who must get through. */
  private static final HttpHandler LENGTH =
      exchange -> {
        var owner = exchange.header("x-owner");
        if (owner == null) {
          exchange.respond(UNAUTHORIZED);
        } else {
          exchange.receive(new BodyShare(owner, owner.equals("reserved")), answering(exchange));
        }
      };

  private static BodyReceiver answering(HttpExchange exchange) {
    return new BodyReceiver() {
      @Override
      public void whole() {
        exchange.respond(text(200, String.valueOf(exchange.body().length)));
      }

      @Override
      public void refused(int status, String message) {
        exchange.respond(text(status, message));
      }
    };
  }

  private static ServerResponse text(int status, String text) {
    return ServerResponse.of(status, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private static UnaryOperator<HttpServerOptions> buffering(long bytes) {
    return options -> options.withLimits(options.limits().withBufferedBodies(bytes));
  }

  private static TestServer start() {
    return TestServer.startAtHeaders(LENGTH, UnaryOperator.identity());
  }

  private static String head(String owner, int length) {
    return POST + "x-owner: " + owner + "\r\ncontent-length: " + length + "\r\n\r\n";
  }

  /** Opens a request on a new stream and sends one byte of its body. */
  private static void open(RawHttp2 client, int stream, String... headers) throws IOException {
    client.frame(
        RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.block("POST", "/", headers));
    client.frame(RawHttp2.DATA, 0, stream, new byte[1]);
  }

  @Test
  void whoIsRefusedNeedNotSendABody() throws Exception {
    try (var server = start();
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.send(POST + "content-length: 1000000\r\n\r\nx");
      var answer = http1.answer();
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header("connection")).isEqualTo("close");
      assertThat(http1.closes()).isTrue();
      open(http2, 1, "content-length", "1000000");
      Awaitility.await().until(() -> http2.ended(1));
      Awaitility.await().until(() -> http2.wasReset(1, 0));
      open(http2, 3, "x-owner", "me");
      http2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 3, new byte[9]);
      Awaitility.await().until(() -> http2.ended(3));
      assertThat(new String(http2.data(3), StandardCharsets.US_ASCII)).isEqualTo("10");
    }
  }

  @Test
  void whoIsRefusedIsHeardOutWhenThereIsLittleLeft() throws Exception {
    try (var server = start();
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.send(POST + "content-length: 3\r\n\r\n");
      var answer = http1.answer();
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header("connection")).isNull();
      assertThat(http1.send("abc" + head("me", 2) + "ab").answer().body()).isEqualTo("2");
      open(http2, 1);
      Awaitility.await().until(() -> http2.ended(1));
      http2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[100]);
      open(http2, 3);
      Awaitility.await().until(() -> http2.ended(3));
      assertThat(http2.frames).noneMatch(frame -> frame.type() == RawHttp2.RST_STREAM);
    }
  }

  @Test
  void whoIsRefusedAndGoesOnIsStopped() throws Exception {
    try (var server = start();
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.send(POST + "transfer-encoding: chunked\r\n\r\n");
      assertThat(http1.answer().status()).isEqualTo(401);
      var chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
      try {
        http1.send(chunk).send(chunk).send(chunk).send(chunk);
      } catch (IOException e) {
        // Stopped already.
      }
      assertThat(http1.closes()).isTrue();
      open(http2, 1);
      Awaitility.await().until(() -> http2.ended(1));
      for (int i = 0; i < 5; i++) {
        http2.frame(RawHttp2.DATA, 0, 1, new byte[16_000]);
      }
      Awaitility.await().until(() -> http2.wasReset(1, 0));
    }
  }

  @Test
  void whoIsRefusedIsNotInvitedToSendABody() throws Exception {
    try (var server = start();
        var client = new RawHttp1(server.port())) {
      client.send(POST + "expect: 100-continue\r\ncontent-length: 2\r\n\r\n");
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header("connection")).isEqualTo("close");
      assertThat(client.closes()).isTrue();
    }
  }

  @Test
  void memoryIsTakenForWhatArrivedAndNotForWhatMayCome() throws Exception {
    try (var server = TestServer.startAtHeaders(LENGTH, buffering(64 * MIB))) {
      var clients = new ArrayList<RawHttp2>();
      for (int i = 0; i < 20; i++) {
        var client = new RawHttp2(server.port());
        clients.add(client);
        for (int stream = 1; stream < 200; stream += 2) {
          open(client, stream, "x-owner", "me", "content-length", "1000000");
        }
      }
      Awaitility.await().until(() -> server.server.bodyBytes() == 2000);
      for (var client : clients) {
        client.close();
      }
      Awaitility.await().until(() -> server.server.bodyBytes() == 0);
    }
  }

  @Test
  void openBodiesOfStrangersTakeNothing() throws Exception {
    try (var server = TestServer.startAtHeaders(LENGTH, buffering(3 * MIB))) {
      var clients = new ArrayList<RawHttp2>();
      for (int i = 0; i < 20; i++) {
        var client = new RawHttp2(server.port());
        clients.add(client);
        for (int stream = 1; stream < 200; stream += 2) {
          open(client, stream, "content-length", "1000000");
        }
      }
      for (var client : clients) {
        Awaitility.await().until(() -> client.ended(199));
      }
      assertThat(server.server.bodyBytes()).isZero();
      try (var admin = new RawHttp1(server.port())) {
        admin.send(head("me", 3 * MIB) + "x".repeat(3 * MIB));
        assertThat(admin.answer().body()).isEqualTo("3145728");
      }
      for (var client : clients) {
        client.close();
      }
    }
  }

  @Test
  void oneConnectionGetsAShareOfTheMemoryAndOneOwnerToo() throws Exception {
    try (var server = TestServer.startAtHeaders(LENGTH, buffering(32 * MIB))) {
      try (var greedy = new RawHttp2(server.port())) {
        greedy.upload(1, MIB, "x-owner", "a");
        greedy.upload(3, 2 * MIB, "x-owner", "a");
        greedy.upload(5, 2 * MIB - 1, "x-owner", "a");
        Awaitility.await().until(() -> greedy.ended(5));
        assertThat(new String(greedy.data(5), StandardCharsets.US_ASCII)).startsWith("too many");
        assertThat(greedy.ended(1) || greedy.ended(3)).isFalse();
      }
      Awaitility.await().until(() -> server.server.bodyBytes() == 0);
      var open = new ArrayList<RawHttp1>();
      for (int i = 0; i < 8; i++) {
        open.add(new RawHttp1(server.port()).send(head("a", 2 * MIB) + "x".repeat(2 * MIB - 1)));
      }
      Awaitility.await().until(() -> server.server.bodyBytes() > 15 * MIB);
      try (var more = new RawHttp1(server.port());
          var other = new RawHttp1(server.port())) {
        more.send(head("a", 2 * MIB) + "x".repeat(2 * MIB));
        assertThat(more.answer().status()).isEqualTo(429);
        other.send(head("b", 2 * MIB) + "x".repeat(2 * MIB));
        assertThat(other.answer().body()).isEqualTo("2097152");
      }
      for (var client : open) {
        client.close();
      }
    }
  }

  @Test
  void whoMustGetThroughHasRoomWhenNobodyElseHas() throws Exception {
    try (var server = TestServer.startAtHeaders(LENGTH, buffering(3 * MIB));
        var first = new RawHttp1(server.port());
        var second = new RawHttp1(server.port());
        var reserved = new RawHttp1(server.port())) {
      first.send(head("a", 3 * MIB) + "x".repeat(3 * MIB - 1));
      Awaitility.await().until(() -> server.server.bodyBytes() >= 3 * MIB - 1);
      second.send(head("b", MIB) + "x".repeat(MIB));
      assertThat(second.answer().status()).isEqualTo(429);
      reserved.send(head("reserved", 3 * MIB) + "x".repeat(3 * MIB));
      assertThat(reserved.answer().body()).isEqualTo("3145728");
      assertThat(first.send("x").answer().body()).isEqualTo("3145728");
    }
  }

  @Test
  void aBodyTakesMemoryUntilItsRequestIsAnswered() throws Exception {
    var waiting = new LinkedBlockingQueue<HttpExchange>();
    try (var server = TestServer.start(waiting::add, buffering(3 * MIB));
        var first = new RawHttp1(server.port());
        var second = new RawHttp1(server.port())) {
      first.send(head("a", 2 * MIB) + "x".repeat(2 * MIB));
      var exchange = waiting.take();
      second.send(head("a", 2 * MIB) + "x".repeat(2 * MIB));
      assertThat(second.answer().status()).isEqualTo(429);
      assertThat(exchange.body()).hasSize(2 * MIB);
      exchange.respond(text(200, "done"));
      assertThat(first.answer().body()).isEqualTo("done");
      assertThat(server.server.bodyBytes()).isZero();
    }
  }

  @Test
  void whoWaitsForABodyHearsThatTheClientHasGone() throws Exception {
    var refused = new ConcurrentLinkedQueue<String>();
    HttpHandler handler =
        exchange ->
            exchange.receive(
                new BodyShare("me", false),
                new BodyReceiver() {
                  @Override
                  public void whole() {}

                  @Override
                  public void refused(int status, String message) {
                    refused.add(message);
                    exchange.respond(text(status, message));
                  }
                });
    try (var server = TestServer.startAtHeaders(handler, UnaryOperator.identity());
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.send(head("me", 3) + "a").close();
      open(http2, 1);
      http2.frame(RawHttp2.RST_STREAM, 0, 1, RawHttp2.number(8));
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(List.copyOf(refused))
                      .containsExactly("the client has gone", "the client has gone"));
      assertThat(server.server.bodyBytes()).isZero();
      assertThat(server.server.counters().requestsInFlight.sum()).isZero();
    }
  }

  @Test
  void aBodyWaitsForWhoStillHasToFindOutWhoseItIs() throws Exception {
    var waiting = new LinkedBlockingQueue<HttpExchange>();
    try (var server = TestServer.startAtHeaders(waiting::add, UnaryOperator.identity());
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.send(head("me", 3) + "abc" + head("me", 2) + "ab");
      open(http2, 1);
      http2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[4]);
      Awaitility.await().until(() -> server.server.bodyBytes() == 8);
      for (int i = 0; i < 3; i++) {
        var exchange = waiting.take();
        exchange.eventLoop().execute(() -> LENGTH.handle(exchange));
      }
      assertThat(http1.answer().body()).isEqualTo("3");
      assertThat(http1.answer().body()).isEqualTo("2");
      Awaitility.await().until(() -> http2.ended(1));
    }
  }

  @Test
  void aBrokenBodyIsTheClientsMistake() throws Exception {
    try (var server = start();
        var client = new RawHttp1(server.port())) {
      client.send(POST + "x-owner: me\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n");
      var answer = client.send("zz\r\n").answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(client.closes()).isTrue();
    }
  }
}
