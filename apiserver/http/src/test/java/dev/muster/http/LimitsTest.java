package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.limits.ConnectionLimits;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.listen.HttpServerOptions;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitsTest {
  private static final int MIB = 1 << 20;

  private static final HttpHandler LENGTH =
      exchange ->
          exchange.respond(
              ServerResponse.of(
                  200,
                  "text/plain",
                  String.valueOf(exchange.body().length).getBytes(StandardCharsets.UTF_8)));

  private static final ErrorRenderer STATUS =
      (status, message) ->
          ServerResponse.of(
              status,
              "application/json",
              ("{\"code\":" + status + ",\"message\":\"" + message + "\"}")
                  .getBytes(StandardCharsets.UTF_8));

  private static UnaryOperator<HttpServerOptions> limits(
      long buffered, int header, int connections, int streams) {
    var standard = HttpLimits.standard();
    return options ->
        options
            .withErrors(STATUS)
            .withLimits(
                new HttpLimits(
                    3 * MIB,
                    buffered,
                    standard.maxOutgoingBytes(),
                    header,
                    new ConnectionLimits(connections, 16, 16),
                    streams,
                    standard.timeouts(),
                    standard.floods()));
  }

  private static HttpRequest post(TestServer server, int bytes) {
    return HttpRequest.newBuilder(server.uri("/"))
        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[bytes]))
        .build();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void takesABodyOfThreeMebibytesAndNoMore(HttpClient.Version version) throws Exception {
    try (var server = TestServer.start(LENGTH, options -> options.withErrors(STATUS));
        var client = TestServer.client(version)) {
      assertThat(client.send(post(server, 3 * MIB), BodyHandlers.ofString()).body())
          .isEqualTo("3145728");
      var refused = client.send(post(server, 3 * MIB + 1), BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(413);
      assertThat(refused.body())
          .isEqualTo("{\"code\":413,\"message\":\"Request entity too large: limit is 3145728\"}");
      assertThat(client.send(post(server, 3), BodyHandlers.ofString()).body()).isEqualTo("3");
    }
  }

  @Test
  void countsABodyOfUnknownLengthWhileItArrives() throws Exception {
    try (var server = TestServer.start(LENGTH)) {
      try (var client = new RawHttp1(server.port())) {
        client.send("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
        var chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
        for (int i = 0; i < 48; i++) {
          client.send(chunk);
        }
        client.send("1\r\nx");
        assertThat(client.answer().status()).isEqualTo(413);
      }
      try (var client = new RawHttp2(server.port())) {
        client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.block("POST", "/"));
        Awaitility.await()
            .untilAsserted(
                () -> assertThat(client.frames).anyMatch(f -> f.type() == RawHttp2.SETTINGS));
        var data = new byte[16384];
        for (int i = 0; i < 3 * MIB / data.length; i++) {
          int credit = (i + 1) * data.length;
          if (window(client) < credit) {
            Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> window(client) >= credit);
          }
          client.frame(RawHttp2.DATA, 0, 1, data);
        }
        client.frame(RawHttp2.DATA, 0, 1, new byte[1]);
        Awaitility.await().until(() -> client.ended(1));
        assertThat(client.frames).anyMatch(f -> f.type() == RawHttp2.RST_STREAM && f.code(0) == 0);
        client.get(3, "/");
        Awaitility.await().until(() -> client.ended(3));
      }
      assertThat(server.server.counters().requestsInFlight.sum()).isZero();
    }
  }

  /** What a client sends before it has seen the answer breaks no rule. */
  @Test
  void theRestOfARefusedUploadEndsNobodysRequests() throws Exception {
    try (var server = TestServer.start(LENGTH);
        var client = new RawHttp2(server.port())) {
      var rejected = server.server.counters().requestsRejected;
      int sent = 0;
      for (int stream = 1; stream <= 9; stream += 2) {
        var head = RawHttp2.block("POST", "/", "content-length", Integer.toString(4 * MIB));
        client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head);
        int refused = stream;
        Awaitility.await().until(() -> client.wasReset(refused, 0));
        for (int i = 0; i < 256; i++) {
          sent += 2048;
          int all = sent;
          Awaitility.await()
              .pollInterval(Duration.ofMillis(1))
              .until(() -> client.window(0) >= all || client.closed);
          client.frame(RawHttp2.DATA, i < 255 ? 0 : RawHttp2.END_STREAM, stream, new byte[2048]);
        }
      }
      client.get(11, "/");
      Awaitility.await().until(() -> client.ended(11) || client.closed);
      assertThat(client.ended(11)).isTrue();
      assertThat(client.frames.stream().filter(f -> f.type() == RawHttp2.RST_STREAM)).hasSize(5);
      assertThat(rejected.sum()).isEqualTo(5);
    }
  }

  private static long window(RawHttp2 client) {
    return 65535
        + client.frames.stream()
            .filter(f -> f.type() == RawHttp2.WINDOW_UPDATE && f.stream() == 1)
            .mapToLong(f -> f.code(0))
            .sum();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void refusesHeadersThatAreTooLarge(HttpClient.Version version) throws Exception {
    try (var server = TestServer.start(LENGTH, limits(64 * MIB, 16 * 1024, 100, 100));
        var client = TestServer.client(version)) {
      var refused =
          client.send(
              HttpRequest.newBuilder(server.uri("/")).header("x-big", "x".repeat(17_000)).build(),
              BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(431);
      var fine =
          client.send(
              HttpRequest.newBuilder(server.uri("/")).header("x-big", "x".repeat(8_000)).build(),
              BodyHandlers.ofString());
      assertThat(fine.statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void takesLongUrlsAndLargeTokensByDefault(HttpClient.Version version) throws Exception {
    try (var server = TestServer.start(LENGTH);
        var client = TestServer.client(version)) {
      var fine =
          client.send(
              HttpRequest.newBuilder(server.uri("/?labelSelector=" + "a".repeat(60_000)))
                  .header("authorization", "Bearer " + "x".repeat(60_000))
                  .build(),
              BodyHandlers.ofString());
      assertThat(fine.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void bodiesOfAllClientsTogetherAreBounded() throws Exception {
    try (var server = TestServer.start(LENGTH, limits(3 * MIB, 16 * 1024, 100, 100));
        var first = new RawHttp1(server.port());
        var second = new RawHttp1(server.port())) {
      var head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2097152\r\n\r\n";
      first.send(head + "x".repeat(2 * MIB - 1));
      Awaitility.await()
          .untilAsserted(
              () -> {
                try (var probe = new RawHttp1(server.port())) {
                  probe.send(head + "x".repeat(2 * MIB));
                  assertThat(probe.answer().status()).isEqualTo(429);
                }
              });
      assertThat(first.send("x").answer().body()).isEqualTo("2097152");
      second.send(head + "x".repeat(2 * MIB));
      assertThat(second.answer().body()).isEqualTo("2097152");
    }
  }

  @Test
  void streamsBeyondTheLimitAreRefusedAndTheRestGoOn() throws Exception {
    var waiting = new ConcurrentLinkedQueue<HttpExchange>();
    try (var server = TestServer.start(waiting::add, limits(64 * MIB, 16 * 1024, 100, 10));
        var client = new RawHttp2(server.port())) {
      for (int i = 0; i < 12; i++) {
        client.get(2 * i + 1, "/");
      }
      Awaitility.await()
          .until(
              () ->
                  client.frames.stream()
                          .filter(f -> f.type() == RawHttp2.RST_STREAM && f.code(0) == 7)
                          .count()
                      == 2);
      assertThat(waiting).hasSize(10);
      waiting.forEach(LENGTH::handle);
      Awaitility.await().until(() -> client.ended(19));
    }
  }

  @Test
  void compressesLargeAnswersForThoseWhoAsk() throws Exception {
    var text = "kubernetes ".repeat(50_000).getBytes(StandardCharsets.UTF_8);
    var answer =
        new ServerResponse(
            200,
            List.of(),
            List.of(text, new byte[0], "end".getBytes(StandardCharsets.UTF_8)),
            true);
    try (var server = TestServer.start(exchange -> exchange.respond(answer));
        var client = TestServer.client(HttpClient.Version.HTTP_2)) {
      var request = HttpRequest.newBuilder(server.uri("/"));
      var plain = client.send(request.build(), BodyHandlers.ofByteArray());
      assertThat(plain.body()).hasSize(text.length + 3);
      var small =
          client.send(
              request.header("accept-encoding", "deflate, gzip").build(),
              BodyHandlers.ofInputStream());
      assertThat(small.headers().firstValue("content-encoding")).contains("gzip");
      assertThat(small.headers().firstValue("vary")).contains("Accept-Encoding");
      try (var in = new GZIPInputStream(small.body())) {
        assertThat(in.readAllBytes()).isEqualTo(plain.body());
      }
    }
  }

  @Test
  void theStandardLimitsAreThoseOfKubernetes() {
    var limits = HttpLimits.standard();
    assertThat(limits.maxBodyBytes()).isEqualTo(3 * MIB);
    assertThat(limits.maxHeaderBytes()).isEqualTo(MIB);
    assertThat(limits.maxStreamsPerConnection()).isEqualTo(250);
    assertThat(limits.connections().open()).isLessThan(20_000);
    assertThat(limits.timeouts().header()).hasSeconds(32);
    assertThat(limits.timeouts().idle()).hasSeconds(90);
    assertThat(limits.timeouts().handshake()).hasSeconds(10);
  }
}
