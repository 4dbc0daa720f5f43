package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.http.compression.Compression;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.limits.HttpTimeouts;
import dev.muster.http.limits.OutgoingBudget;
import dev.muster.http.listen.HttpServerOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Clients that do not take what they asked for: what is made for them stays within a budget. */
class SlowReadersTest {
  private static final int PARTS = 60;

  /** More than the buffers of a socket hold. */
  private static final int MANY_PARTS = 240;

  private static final int CONNECTIONS = 20;
  private static final int PART = 50_000;
  private static final long BUDGET = 4 << 20;
  private static final int READERS = 40;

  private static final ServerResponse HEAD = ServerResponse.of(200, "text/plain", new byte[0]);

  private static UnaryOperator<HttpServerOptions> budget() {
    return budget(Duration.ofMinutes(10));
  }

  private static UnaryOperator<HttpServerOptions> budget(Duration stall) {
    var forever = Duration.ofMinutes(10);
    var timeouts = new HttpTimeouts(forever, forever, forever, forever, forever, stall);
    return options -> options.withLimits(HttpLimits.standard().withOutgoing(BUDGET).with(timeouts));
  }

  /** A body that is made anew for each reader, and counts what was made. */
  private static Iterator<SharedBytes> parts(int seed, int count, AtomicInteger made) {
    var next = new AtomicInteger();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return next.get() < count;
      }

      @Override
      public SharedBytes next() {
        made.incrementAndGet();
        return SharedBytes.of(part(seed, next.getAndIncrement()));
      }
    };
  }

  private static byte[] part(int seed, int number) {
    var part = new byte[PART];
    Arrays.fill(part, (byte) (seed * 7 + number));
    return part;
  }

  private static byte[] whole(int seed, int count) {
    var whole = new byte[count * PART];
    for (int i = 0; i < count; i++) {
      System.arraycopy(part(seed, i), 0, whole, i * PART, PART);
    }
    return whole;
  }

  private static HttpHandler handler(int count, AtomicInteger made) {
    return exchange -> {
      int seed = Integer.parseInt(exchange.path().substring(1));
      exchange.make(() -> exchange.respond(HEAD, parts(seed, count, made)));
    };
  }

  /** Everything that was made and not yet sent, the first parts of each answer included. */
  private static void assertBounded(TestServer server) {
    assertThat(server.server.outgoing().most())
        .isLessThan(2 * BUDGET + 4L * (Compression.THRESHOLD + OutgoingBudget.PART));
  }

  @Test
  void streamsOfOneConnectionWaitForRoomAndAllArriveWhole() throws Exception {
    var made = new AtomicInteger();
    try (var server = TestServer.start(handler(PARTS, made), budget());
        var client = new RawHttp2(server.port())) {
      for (int i = 0; i < READERS; i++) {
        client.get(2 * i + 1, "/" + i);
      }
      await().until(() -> server.server.outgoing().waiting() > 0);
      assertThat(made.get()).isLessThan(READERS * PARTS / 2);
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1 << 30));
      for (int i = 0; i < READERS; i++) {
        client.frame(RawHttp2.WINDOW_UPDATE, 0, 2 * i + 1, RawHttp2.number(1 << 30));
      }
      for (int i = 0; i < READERS; i++) {
        int stream = 2 * i + 1;
        await().atMost(Duration.ofSeconds(60)).until(() -> client.ended(stream));
        assertThat(client.data(stream)).isEqualTo(whole(i, PARTS));
      }
      assertBounded(server);
      await().until(() -> server.server.outgoing().taken() == 0);
    }
  }

  /**
   * Connects clients that read nothing until an answer has to wait for room. Those that begin
   * before the sockets' own buffers are full may all find room: then it is a further one that
   * waits.
   */
  private static void connect(TestServer server, List<RawHttp1> clients) throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(new RawHttp1(server.port(), 4096).get("/" + i));
    }
    var outgoing = server.server.outgoing();
    await()
        .until(
            () -> {
              if (outgoing.waiting() == 0 && outgoing.isFull()) {
                clients.add(new RawHttp1(server.port(), 4096).get("/" + clients.size()));
              }
              return outgoing.waiting() > 0;
            });
  }

  @Test
  void connectionsWaitForRoomAndAllArriveWhole() throws Exception {
    var made = new AtomicInteger();
    var clients = new ArrayList<RawHttp1>();
    try (var server = TestServer.start(handler(MANY_PARTS, made), budget())) {
      connect(server, clients);
      for (int i = 0; i < clients.size(); i++) {
        assertThat(clients.get(i).answer().status()).isEqualTo(200);
        assertThat(chunks(clients.get(i))).isEqualTo(whole(i, MANY_PARTS));
      }
      assertBounded(server);
      await().until(() -> server.server.outgoing().taken() == 0);
    } finally {
      for (var client : clients) {
        client.close();
      }
    }
  }

  private static byte[] chunks(RawHttp1 client) throws IOException {
    var whole = new ByteArrayOutputStream();
    for (int length = length(client); length > 0; length = length(client)) {
      whole.writeBytes(client.read(length));
      client.line();
    }
    return whole.toByteArray();
  }

  private static int length(RawHttp1 client) throws IOException {
    return Integer.parseInt(client.line(), 16);
  }

  @Test
  void whoGoesAwayGivesItsRoomBack() throws Exception {
    var made = new AtomicInteger();
    try (var server = TestServer.start(handler(MANY_PARTS, made), budget())) {
      var clients = new ArrayList<RawHttp1>();
      connect(server, clients);
      for (var client : clients) {
        client.close();
      }
      await().until(() -> server.server.outgoing().taken() == 0);
      assertThat(server.server.outgoing().waiting()).isZero();
    }
  }

  @Test
  void whoTakesNothingIsCutOffSoonerWhileOthersWait() throws Exception {
    var made = new AtomicInteger();
    try (var server = TestServer.start(handler(PARTS, made), budget(Duration.ofSeconds(5)));
        var silent = new RawHttp2(server.port());
        var client = new RawHttp2(server.port())) {
      for (int i = 0; i < READERS; i++) {
        silent.get(2 * i + 1, "/" + i);
      }
      await().until(() -> server.server.outgoing().waiting() > 0);
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1 << 30));
      client.get(1, "/3");
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 1, RawHttp2.number(1 << 30));
      await().atMost(Duration.ofSeconds(60)).until(() -> client.ended(1));
      assertThat(client.data(1)).isEqualTo(whole(3, PARTS));
      assertThat(silent.frames).anyMatch(frame -> frame.type() == RawHttp2.RST_STREAM);
    }
  }

  @Test
  void aConnectionThatLeavesTooMuchUnreadIsRefusedMore() throws Exception {
    var large = ServerResponse.of(200, "text/plain", new byte[9 << 20]);
    try (var server = TestServer.start(exchange -> exchange.respond(large), budget());
        var client = new RawHttp2(server.port());
        var other = new RawHttp1(server.port())) {
      for (int stream : new int[] {1, 3, 5}) {
        client.get(stream, "/");
        await().until(() -> client.headed(stream));
      }
      assertThat(server.server.counters().requestsRejected.sum()).isEqualTo(1);
      assertThat(other.get("/").answer().status()).isEqualTo(200);
    }
  }
}
