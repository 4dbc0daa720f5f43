package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ShutdownTest {
  private static final ServerResponse OK = ServerResponse.of(200, "text/plain", new byte[] {'k'});
  private final ConcurrentHashMap<String, HttpExchange> waiting = new ConcurrentHashMap<>();

  private HttpExchange waiting(String path) {
    return Objects.requireNonNull(waiting.get(path));
  }

  private TestServer start() {
    return TestServer.start(
        exchange -> {
          if (exchange.path().startsWith("/watch")) {
            exchange.stream(new ServerResponse(200, List.of(), List.of(), false));
          } else if (exchange.path().startsWith("/slow")) {
            waiting.put(exchange.path(), exchange);
          } else {
            if (exchange.path().startsWith("/last")) {
              exchange.endConnection();
            }
            exchange.respond(OK);
          }
        });
  }

  @Test
  void aConnectionThatIsToEndFinishesWhatIsUnderWay() throws Exception {
    try (var server = start();
        var http2 = new RawHttp2(server.port())) {
      http2.get(1, "/slow");
      Awaitility.await().until(() -> waiting.size() == 1);
      http2.get(3, "/last");
      Awaitility.await().until(() -> http2.wentAwayWith(0) && http2.ended(3));
      waiting("/slow").respond(OK);
      Awaitility.await().until(() -> http2.ended(1));
    }
  }

  @Test
  void stepByStepNoRequestIsLost() throws Exception {
    try (var server = start();
        var http1 = new RawHttp1(server.port());
        var idle1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      idle1.get("/").answer();
      http1.get("/slow1");
      http2.get(1, "/slow2");
      http2.get(3, "/watch");
      Awaitility.await().until(() -> waiting.size() == 2);
      int port = server.port();

      server.server.stopAccepting();
      assertThatThrownBy(() -> new RawHttp1(port)).isInstanceOf(IOException.class);
      http2.get(5, "/");
      Awaitility.await().until(() -> http2.ended(5));

      server.server.goAway(Duration.ofMillis(300));
      Awaitility.await().until(() -> http2.wentAwayWith(0));
      assertThat(idle1.closes()).isTrue();
      http2.get(7, "/");
      Awaitility.await().until(() -> http2.ended(7));

      var closed = new CountDownLatch(1);
      Thread.ofVirtual()
          .start(
              () -> {
                server.server.close(Duration.ofSeconds(20));
                closed.countDown();
              });
      Awaitility.await().until(() -> http2.ended(3));
      assertThat(closed.getCount()).isEqualTo(1);
      waiting("/slow1").respond(OK);
      waiting("/slow2").respond(OK);
      var answer = http1.answer();
      assertThat(answer.body()).isEqualTo("k");
      assertThat(answer.header("connection")).isEqualTo("close");
      Awaitility.await().until(() -> http2.ended(1));
      assertThat(new String(http2.data(1), StandardCharsets.US_ASCII)).isEqualTo("k");
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(http1.closes()).isTrue();
      Awaitility.await().until(() -> http2.closed);
      assertThat(server.server.counters().openConnections()).isZero();
    }
  }

  @Test
  void theTimeForDrainingIsKept() throws Exception {
    try (var server = start();
        var http1 = new RawHttp1(server.port());
        var http2 = new RawHttp2(server.port())) {
      http1.get("/slow1");
      http2.get(1, "/slow2");
      Awaitility.await().until(() -> waiting.size() == 2);
      var cancelled = new CountDownLatch(2);
      waiting.values().forEach(exchange -> exchange.onCancel(cancelled::countDown));
      server.server.close(Duration.ofMillis(500));
      assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(http1.closes()).isTrue();
      Awaitility.await().until(() -> http2.closed);
    }
  }

  @Test
  void anAnswerAfterTheEndIsNoError() throws Exception {
    try (var server = start();
        var http2 = new RawHttp2(server.port())) {
      http2.get(1, "/slow");
      Awaitility.await().until(() -> waiting.size() == 1);
      server.server.close();
      waiting("/slow").respond(OK);
      server.server.close();
    }
  }
}
