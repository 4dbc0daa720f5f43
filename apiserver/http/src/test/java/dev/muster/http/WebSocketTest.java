package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class WebSocketTest {
  private record Opened(HttpExchange exchange, HttpStream stream) {
    void write(byte[] message) {
      exchange
          .eventLoop()
          .execute(
              () -> {
                stream.write(message);
                stream.flush();
              });
    }
  }

  private final LinkedBlockingQueue<Opened> opened = new LinkedBlockingQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  private TestServer start(boolean text) {
    return TestServer.start(
        exchange -> {
          if (exchange.wantsWebSocket()) {
            var stream =
                exchange.webSocket(List.of(new Header("content-type", "application/json")), text);
            stream.onClose(closed::countDown);
            opened.add(new Opened(exchange, stream));
          } else {
            exchange.respond(ServerResponse.of(200, "text/plain", new byte[] {'k'}));
          }
        });
  }

  /** Puts every whole message, ping answer and close code into one queue. */
  private static final class Heard implements WebSocket.Listener {
    final LinkedBlockingQueue<String> all = new LinkedBlockingQueue<>();
    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        all.add(parts.toString());
        parts.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      parts.append(StandardCharsets.ISO_8859_1.decode(data));
      if (last) {
        all.add("binary " + parts);
        parts.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
      all.add("pong " + StandardCharsets.ISO_8859_1.decode(data));
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      all.add("close " + code);
      return null;
    }

    String next() throws InterruptedException {
      return String.valueOf(all.poll(60, TimeUnit.SECONDS));
    }
  }

  private static WebSocket connect(TestServer server, HttpClient client, Heard heard)
      throws Exception {
    return client
        .newWebSocketBuilder()
        .subprotocols("base64url.bearer.authorization.k8s.io.dG9rZW4", "base64.binary.k8s.io")
        .buildAsync(URI.create("wss://127.0.0.1:" + server.port() + "/watch"), heard)
        .get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyPieceIsOneMessage(boolean text) throws Exception {
    try (var server = start(text);
        var client = TestServer.client(HttpClient.Version.HTTP_1_1)) {
      var heard = new Heard();
      var socket = connect(server, client, heard);
      assertThat(socket.getSubprotocol()).isEqualTo("base64.binary.k8s.io");
      var watch = opened.take();
      for (int length : new int[] {1, 125, 126, 65535, 65536, 300_000}) {
        var message = "m".repeat(length);
        watch.write(message.getBytes(StandardCharsets.US_ASCII));
        assertThat(heard.next()).isEqualTo(text ? message : "binary " + message);
      }
      socket.sendText("ignored", true).get(60, TimeUnit.SECONDS);
      socket.sendPing(ByteBuffer.wrap(new byte[] {'p'})).get(60, TimeUnit.SECONDS);
      assertThat(heard.next()).isEqualTo("pong p");
      watch.exchange().eventLoop().execute(watch.stream()::finish);
      assertThat(heard.next()).isEqualTo("close 1000");
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theClientMayCloseIt() throws Exception {
    try (var server = start(true);
        var client = TestServer.client(HttpClient.Version.HTTP_1_1)) {
      var socket = connect(server, client, new Heard());
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "bye").get(60, TimeUnit.SECONDS);
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
      Awaitility.await().until(() -> server.server.counters().openConnections() == 0);
    }
  }

  @Test
  void aClientThatVanishesEndsIt() throws Exception {
    try (var server = start(true);
        var client = TestServer.client(HttpClient.Version.HTTP_1_1)) {
      connect(server, client, new Heard()).abort();
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void nonsenseAfterTheUpgradeEndsIt() throws Exception {
    try (var server = start(true);
        var client = new RawHttp1(server.port())) {
      client.send(
          """
          GET /watch HTTP/1.1
          host: x
          connection: keep-alive, Upgrade
          upgrade: websocket
          sec-websocket-version: 13
          sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==

          """
              .replace("\n", "\r\n"));
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(101);
      assertThat(answer.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
      opened.take();
      client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(client.closes()).isTrue();
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void anIncompleteRequestIsAPlainOne() throws Exception {
    try (var server = start(true);
        var client = new RawHttp1(server.port())) {
      client.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void shutdownClosesItProperly() throws Exception {
    try (var server = start(true);
        var client = TestServer.client(HttpClient.Version.HTTP_1_1)) {
      var heard = new Heard();
      connect(server, client, heard);
      opened.take();
      server.server.close(Duration.ofSeconds(5));
      assertThat(heard.next()).isEqualTo("close 1000");
    }
  }
}
