package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Calls to webhooks over real TLS connections: what is kept, and what counts as an answer. */
class WebhooksTest extends WebhookCalls {
  @Test
  void connectionsAreUsedAgain() throws Exception {
    try (var hook = TestHook.start(FRIENDLY)) {
      for (int i = 0; i < 20; i++) {
        var answer = post(hook);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("{}");
      }
      assertThat(hook.connections).hasValue(1);
      assertThat(hook.requests).hasValue(20);
    }
  }

  @Test
  void aHookOnThisMachineMayDoWithoutTls() throws Exception {
    var callers = ConcurrentHashMap.<InetSocketAddress>newKeySet();
    var server = HttpServer.create(new InetSocketAddress(TestHook.LOOPBACK, 0), 0);
    server.createContext(
        "/review",
        exchange -> {
          callers.add(exchange.getRemoteAddress());
          var body = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      var authority = "127.0.0.1:" + server.getAddress().getPort();
      var address = WebhookAddress.chosenUrl("http://" + authority + "/review");
      var call = call(new WebhookClient("hook", address, ""), LONG, Cancellation.NEVER);
      for (int i = 0; i < 3; i++) {
        assertThat(webhooks.post(call).body()).isEqualTo(call.body());
      }
      assertThat(callers).hasSize(1);
      assertThat(call.url()).isEqualTo("http://" + authority + "/review?timeout=30s");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aHookThatWasStartedAgainIsFoundAgain() throws Exception {
    int port;
    try (var hook = TestHook.start(FRIENDLY)) {
      port = hook.port();
      post(hook);
    }
    fails(
        port,
        LONG,
        post(port, "30s", "dial tcp 127.0.0.1:" + port + ": connect: connection refused"));
    try (var hook = TestHook.start(port, TestHook.identity(List.of("localhost")), FRIENDLY)) {
      assertThat(post(hook).status()).isEqualTo(200);
    }
  }

  @Test
  void aKeptConnectionThatClosesWithoutAWordIsReplaced() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              if (count > 0) {
                throw new IOException("enough");
              }
              TestHook.answer(out, "200 OK", "", "{}");
            })) {
      assertThat(post(hook).status()).isEqualTo(200);
      assertThat(post(hook).status()).isEqualTo(200);
      assertThat(hook.connections).hasValue(2);
    }
  }

  @Test
  void whoWantsToCloseIsLetGo() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) -> TestHook.answer(out, "200 OK", "connection: close\r\n", "{}"))) {
      post(hook);
      post(hook);
      assertThat(hook.connections).hasValue(2);
      Awaitility.await().until(() -> hook.open() == 0 && webhooks.keptConnections() == 0);
    }
  }

  @Test
  void whatWasNotAskedForIsNotTheNextAnswer() throws Exception {
    var connections = new AtomicInteger();
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              if (connections.incrementAndGet() == 1) {
                out.write(
                    ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
                            + "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
                        .getBytes(StandardCharsets.US_ASCII));
                out.flush();
              } else {
                TestHook.answer(out, "200 OK", "", "good");
              }
            })) {
      assertThat(post(hook).body()).isEqualTo("{}".getBytes(StandardCharsets.UTF_8));
      Awaitility.await().until(() -> webhooks.keptConnections() == 0);
      assertThat(post(hook).body()).isEqualTo("good".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void refusalsAndRedirectsAreAnswersLikeAnyOther() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) ->
                TestHook.answer(
                    out,
                    count == 0 ? "500 Oops" : "302 Found",
                    "location: https://127.0.0.1:1/\r\ncontent-type: text/plain\r\n",
                    "oops"))) {
      assertThat(post(hook))
          .returns(500, WebhookResponse::status)
          .returns("text/plain", WebhookResponse::contentType);
      assertThat(post(hook).status()).isEqualTo(302);
      assertThat(hook.connections).hasValue(1);
    }
  }

  @Test
  void nobodyThere() throws Exception {
    int port;
    try (var socket = new ServerSocket(0, 1, TestHook.LOOPBACK)) {
      port = socket.getLocalPort();
    }
    fails(
        port,
        Duration.ofSeconds(10),
        post(port, "10s", "dial tcp 127.0.0.1:" + port + ": connect: connection refused"));
  }

  @Test
  void anAnswerThatStopsInTheMiddleIsNone() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              out.write(
                  "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"
                      .getBytes(StandardCharsets.US_ASCII));
              out.flush();
              throw new IOException("closed");
            })) {
      fails(
          hook.port(),
          LONG,
          "unexpected error when reading response body. Please retry. Original error: unexpected"
              + " EOF");
      assertThat(hook.requests).hasValue(1);
    }
  }

  @Test
  void aHookThatClosesWithoutAWord() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              throw new IOException("closed");
            })) {
      fails(hook.port(), LONG, post(hook.port(), "30s", "EOF"));
      assertThat(hook.requests).hasValue(1);
    }
  }

  @Test
  void garbageIsNoAnswer() throws Exception {
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              out.write("SSH-2.0-OpenSSH\r\n\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              out.flush();
            })) {
      fails(hook.port(), LONG, post(hook.port(), "30s", "malformed HTTP response"));
    }
  }

  @Test
  void noMoreOfAnAnswerIsTakenThanAllowed() throws Exception {
    var end = new CountDownLatch(1);
    try (var hook =
        TestHook.start(
            (in, out, count) -> {
              out.write(
                  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
              var piece =
                  ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
              try {
                while (true) {
                  out.write(piece);
                }
              } finally {
                end.countDown();
              }
            })) {
      fails(
          hook.port(),
          LONG,
          "unexpected error when reading response body. Please retry. Original error: the answer"
              + " has more than 1048576 bytes");
      end.await();
      assertThat(webhooks.keptConnections()).isZero();
    }
  }
}
