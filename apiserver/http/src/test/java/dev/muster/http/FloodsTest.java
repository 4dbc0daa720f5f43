package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each flood ends its own connection, while another client is served as if nothing happened. */
@Tag("slow")
class FloodsTest {
  private static final List<HttpExchange> NEVER_ANSWERED = new ArrayList<>();
  private static TestServer server;
  private static HttpClient bystander;

  @BeforeAll
  static void start() throws Exception {
    server =
        TestServer.start(
            exchange -> {
              if (exchange.path().equals("/never")) {
                NEVER_ANSWERED.add(exchange);
              } else {
                exchange.respond(ServerResponse.of(200, "text/plain", new byte[] {'k'}));
              }
            },
            options -> options.withEventLoops(1));
    bystander = TestServer.client(HttpClient.Version.HTTP_2);
    bystanderIsServed();
  }

  @AfterAll
  static void stop() {
    bystander.close();
    server.close();
  }

  @AfterEach
  void everyoneElseIsServed() throws Exception {
    bystanderIsServed();
    assertThat(server.server.counters().openConnections()).isLessThanOrEqualTo(2);
  }

  private static void bystanderIsServed() throws Exception {
    var answer =
        bystander.send(
            HttpRequest.newBuilder(server.uri("/")).timeout(Duration.ofSeconds(10)).build(),
            BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("k");
  }

  private interface Wave {
    byte[] bytes(int round);
  }

  /** Sends until the server has had enough; fails when it never has. */
  private static void flood(RawHttp2 client, Wave wave, int rounds) {
    var noticed = server.server.counters().connectionsFlooding;
    long before = noticed.sum();
    untilClosed(client, wave, rounds);
    assertThat(noticed.sum()).isEqualTo(before + 1);
  }

  private static void untilClosed(RawHttp2 client, Wave wave, int rounds) {
    try {
      for (int i = 0; i < rounds && !client.closed; i++) {
        client.raw(wave.bytes(i));
      }
    } catch (IOException e) {
      // The connection is closed under our feet, as it should be.
    }
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> client.closed);
  }

  private static byte[] together(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] request(int stream, String path, int flags) {
    return RawHttp2.encode(
        RawHttp2.HEADERS, RawHttp2.END_HEADERS | flags, stream, RawHttp2.block("GET", path));
  }

  @Test
  void rapidResetOfUnansweredRequests() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(
          client,
          i ->
              together(
                  request(2 * i + 1, "/never", RawHttp2.END_STREAM),
                  RawHttp2.encode(RawHttp2.RST_STREAM, 0, 2 * i + 1, RawHttp2.number(8))),
          5000);
    }
  }

  @Test
  void rapidResetOfAnsweredRequests() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(
          client,
          i ->
              together(
                  request(2 * i + 1, "/", RawHttp2.END_STREAM),
                  RawHttp2.encode(RawHttp2.RST_STREAM, 0, 2 * i + 1, RawHttp2.number(8))),
          5000);
    }
  }

  @Test
  void resetsProvokedByBrokenRequests() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(
          client,
          i ->
              together(
                  request(2 * i + 1, "/never", 0),
                  RawHttp2.encode(
                      RawHttp2.WINDOW_UPDATE, 0, 2 * i + 1, RawHttp2.number(Integer.MAX_VALUE))),
          5000);
    }
  }

  @Test
  void continuationFramesWithoutEnd() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.block("GET", "/"));
      flood(
          client,
          i -> RawHttp2.encode(RawHttp2.CONTINUATION, 0, 1, new byte[] {0, 1, 'a', 1, 'b'}),
          100_000);
    }
  }

  @Test
  void largeContinuationFramesWithoutEnd() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.block("GET", "/"));
      var block = new ByteArrayOutputStream();
      while (block.size() < 16_000) {
        block.writeBytes(new byte[] {0, 1, 'a', 1, 'b'});
      }
      untilClosed(
          client, i -> RawHttp2.encode(RawHttp2.CONTINUATION, 0, 1, block.toByteArray()), 1000);
    }
  }

  @Test
  void settings() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(client, i -> RawHttp2.encode(RawHttp2.SETTINGS, 0, 0, new byte[0]), 100_000);
    }
  }

  @Test
  void pings() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(client, i -> RawHttp2.encode(RawHttp2.PING, 0, 0, new byte[8]), 100_000);
    }
  }

  @Test
  void priorities() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(
          client,
          i -> RawHttp2.encode(RawHttp2.PRIORITY, 0, 2 * i + 1, new byte[] {0, 0, 0, 0, 5}),
          100_000);
    }
  }

  @Test
  void emptyData() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.block("POST", "/"));
      flood(client, i -> RawHttp2.encode(RawHttp2.DATA, 0, 1, new byte[0]), 100_000);
    }
  }

  @Test
  void tinyWindowUpdates() throws Exception {
    try (var client = new RawHttp2(server.port())) {
      flood(
          client, i -> RawHttp2.encode(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1)), 100_000);
    }
  }

  @Test
  void pingsFromAClientThatReadsNothing() throws Exception {
    try (var client = new RawHttp2(server.port(), false)) {
      var pings = new ByteArrayOutputStream();
      for (int i = 0; i < 100; i++) {
        pings.writeBytes(RawHttp2.encode(RawHttp2.PING, 0, 0, new byte[8]));
      }
      for (int i = 0; i < 100; i++) {
        client.raw(pings.toByteArray());
      }
    } catch (IOException e) {
      // Closed while we were sending: fine.
    }
    Awaitility.await().until(() -> server.server.counters().openConnections() <= 1);
  }
}
