package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.NeedsProgram;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Http1Test {
  private static final HttpHandler ECHO =
      exchange ->
          exchange.respond(
              ServerResponse.of(
                  200,
                  "text/plain",
                  (exchange.path() + ":" + new String(exchange.body(), StandardCharsets.UTF_8))
                      .getBytes(StandardCharsets.UTF_8)));

  @Test
  void pipelinedRequestsAreAnsweredInOrderEvenWhenTheFirstTakesLongest() throws Exception {
    var waiting = new LinkedBlockingQueue<HttpExchange>();
    try (var server =
            TestServer.start(
                exchange -> {
                  if (exchange.path().equals("/slow")) {
                    waiting.add(exchange);
                  } else {
                    ECHO.handle(exchange);
                  }
                });
        var client = new RawHttp1(server.port())) {
      client.send(
          "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n"
              + "POST /b HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc"
              + "GET /c HTTP/1.1\r\nhost: x\r\n\r\n".repeat(300));
      ECHO.handle(waiting.take());
      assertThat(client.answer().body()).isEqualTo("/slow:");
      assertThat(client.answer().body()).isEqualTo("/b:abc");
      for (int i = 0; i < 300; i++) {
        assertThat(client.answer().body()).isEqualTo("/c:");
      }
      assertThat(client.get("/after").answer().body()).isEqualTo("/after:");
    }
  }

  @Test
  void readsChunkedBodies() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send(
          """
          POST /a HTTP/1.1
          host: x
          transfer-encoding: chunked

          5;ext=1
          hello
          6
           world
          0
          trailer: x

          """
              .replace("\n", "\r\n"));
      assertThat(client.answer().body()).isEqualTo("/a:hello world");
      assertThat(client.get("/b").answer().body()).isEqualTo("/b:");
    }
  }

  @Test
  void invitesTheBodyThatAClientHoldsBack() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send(
          "PUT /a HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(100);
      assertThat(client.send("ok").answer().body()).isEqualTo("/a:ok");
    }
  }

  @Test
  void doesNotInviteABodyThatIsTooLarge() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send(
          "PUT /a HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 3145729\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(413);
    }
  }

  @Test
  void refusesOtherExpectations() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send("GET /a HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(417);
    }
  }

  @Test
  void handlesAnUpgradeRequestAsAPlainOneAndLeavesNoTunnel() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send(
          "GET /exec HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: SPDY/3.1\r\n\r\n");
      var answer = client.answer();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("upgrade")).isNull();
      assertThat(client.get("/next").answer().body()).isEqualTo("/next:");
    }
  }

  @Test
  void closesWhenTheClientAsksForIt() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      assertThat(client.answer().header("connection")).isEqualTo("close");
      assertThat(client.closes()).isTrue();
    }
  }

  @Test
  @Tag("slow")
  void aSlowClientGetsTheWholeAnswerBeforeTheConnectionCloses() throws Exception {
    var answer = ServerResponse.of(200, "text/plain", new byte[4 << 20]);
    try (var server = TestServer.start(exchange -> exchange.respond(answer));
        var client = new RawHttp1(server.port(), 4096)) {
      client.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      for (var line = client.line(); !line.isEmpty(); line = client.line()) {}
      int read = 0;
      while (read < answer.length()) {
        int some = (int) Math.min(400_000, answer.length() - read);
        assertThat(client.read(some)).hasSize(some);
        read += some;
        LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
      }
      assertThat(client.closes()).isTrue();
    }
  }

  @Test
  void speaksHttp10() throws Exception {
    try (var server = TestServer.start(ECHO)) {
      try (var client = new RawHttp1(server.port())) {
        client.send("GET /old HTTP/1.0\r\n\r\n");
        assertThat(client.answer().body()).isEqualTo("/old:");
        assertThat(client.closes()).isTrue();
      }
      try (var client = new RawHttp1(server.port())) {
        client.send("GET /old HTTP/1.0\r\nconnection: keep-alive\r\n\r\n");
        assertThat(client.answer().header("connection")).isEqualTo("keep-alive");
        client.send("GET /older HTTP/1.0\r\n\r\n");
        assertThat(client.answer().body()).isEqualTo("/older:");
      }
    }
  }

  @Test
  void takesAWholeUrlAsTarget() throws Exception {
    try (var server = TestServer.start(ECHO);
        var client = new RawHttp1(server.port())) {
      client.send("GET https://elsewhere:1/a/b HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(client.answer().body()).isEqualTo("/a/b:");
    }
  }

  @Test
  void refusesWhatCouldBeReadInTwoWays() throws Exception {
    var twoWays =
        new String[] {
          "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
          "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
          "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -3\r\n\r\n",
          "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
          "GET / HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n",
          "GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
          "GET / HTTP/1.1\r\nhost : x\r\n\r\n",
          "GET / HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\n\r\n",
          "GET / HTTP/1.1\r\nhost: x\r\nx-a: b\r\n\tcontent-length: 5\r\n\r\n",
          "GET / HTTP/1.1\r\n host: x\r\n\r\n",
          "\u007f\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\n\r\n",
          "GET / FTP/1.1\r\nhost: x\r\n\r\n",
          "GET / HTTP/1.9\r\n\r\n",
          "nonsense\r\n\r\n"
        };
    try (var server = TestServer.start(ECHO)) {
      for (var text : twoWays) {
        try (var client = new RawHttp1(server.port())) {
          client.send(text);
          assertThat(client.answer().status()).as(text).isEqualTo(400);
          assertThat(client.closes()).as(text).isTrue();
        }
      }
      assertThat(server.server.counters().requestsRejected.sum()).isEqualTo(twoWays.length);
    }
  }

  @Test
  void findsAFoldedHeaderHoweverItArrives() throws Exception {
    var text = "\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\n\r\n";
    try (var server = TestServer.start(ECHO)) {
      for (int cut = 1; cut < text.length() - 4; cut++) {
        try (var client = new RawHttp1(server.port())) {
          client.send(text.substring(0, cut));
          client.send(text.substring(cut));
          assertThat(client.answer().status()).as("cut at %d", cut).isEqualTo(400);
        }
      }
      try (var client = new RawHttp1(server.port())) {
        client.send(
            "POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 8\r\n\r\na\r\n b\r\n\t"
                + "\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\n");
        assertThat(client.answer().body()).isEqualTo("/a:a\r\n b\r\n\t");
        assertThat(client.answer().body()).isEqualTo("/b:");
      }
    }
  }

  @Test
  void aLaterHttp1IsSpokenAsTheOneWeKnow() throws Exception {
    try (var server = TestServer.start(ECHO)) {
      try (var client = new RawHttp1(server.port())) {
        client.send("GET /a HTTP/1.9\r\nhost: x\r\n\r\n");
        var answer = client.answer();
        assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(answer.header("connection")).isNull();
        assertThat(client.get("/b").answer().body()).isEqualTo("/b:");
      }
      for (var version : new String[] {"HTTP/2.0", "HTTP/3.1", "HTTP/0.9"}) {
        try (var client = new RawHttp1(server.port())) {
          client.send("GET / " + version + "\r\nhost: x\r\n\r\n");
          assertThat(client.answer().status()).as(version).isEqualTo(505);
          assertThat(client.closes()).as(version).isTrue();
        }
      }
    }
  }

  @Test
  void neverLetsAHeaderValueBreakOut() throws Exception {
    try (var server =
            TestServer.start(
                exchange ->
                    exchange.respond(
                        new ServerResponse(
                            200,
                            List.of(new Header("x", "a\r\nset-cookie: b")),
                            List.of(),
                            false)));
        var client = new RawHttp1(server.port())) {
      client.get("/");
      assertThat(client.closes()).isTrue();
    }
  }

  @Test
  @NeedsProgram("curl")
  @Tag("slow")
  void curlIsContent() throws Exception {
    try (var server = TestServer.start(ECHO)) {
      for (var version : new String[] {"--http1.1", "--http2"}) {
        var process =
            new ProcessBuilder(
                    "curl",
                    "-sk",
                    version,
                    "--max-time",
                    "10",
                    "-d",
                    "x=1",
                    "-w",
                    "%{http_version}",
                    server.uri("/c").toString())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).isEqualTo("/c:x=1" + (version.equals("--http2") ? "2" : "1.1"));
      }
    }
  }
}
