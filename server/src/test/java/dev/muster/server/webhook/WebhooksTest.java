package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.access.pki.Authority;
import dev.muster.access.pki.CertificateNames;
import dev.muster.access.pki.Pem;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.types.ClusterView;
import dev.muster.registry.types.Types;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpHandler;
import dev.muster.server.http.HttpServer;
import dev.muster.server.http.HttpServerOptions;
import dev.muster.server.http.TlsMaterial;
import dev.muster.server.http.TlsOptions;
import dev.muster.server.proxy.Network;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls to webhooks over real TLS connections, to good ones and to others. */
class WebhooksTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int MOST = 1 << 20;
  private static final TestHook.Behaviour FRIENDLY =
      (in, out, count) -> TestHook.answer(out, "200 OK", "", "{}");

  private final Webhooks webhooks =
      new Webhooks(Network.SYSTEM, EgressSelector.DIRECT, new Random(1), 4);

  @AfterEach
  void close() {
    webhooks.close();
  }

  private static WebhookClient url(int port, String authorities) {
    return new WebhookClient(
        "hook",
        new WebhookAddress.Url("127.0.0.1", port, "127.0.0.1:" + port, "/review"),
        authorities);
  }

  private static WebhookCall call(WebhookClient client, Duration timeout, Cancellation gone) {
    return new WebhookCall(
        client,
        new OneService(0),
        "{}".getBytes(StandardCharsets.UTF_8),
        timeout,
        Deadline.after(LONG),
        MOST,
        gone);
  }

  private WebhookResponse post(TestHook hook) throws WebhookException {
    return webhooks.post(call(url(hook.port(), TestHook.PEM), LONG, Cancellation.NEVER));
  }

  private void fails(int port, Duration timeout, String why) {
    assertThatThrownBy(
            () -> webhooks.post(call(url(port, TestHook.PEM), timeout, Cancellation.NEVER)))
        .isInstanceOf(WebhookException.class)
        .hasMessage(why);
  }

  private static String post(int port, String timeout, String why) {
    return "Post \"https://127.0.0.1:%d/review?timeout=%s\": %s".formatted(port, timeout, why);
  }

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
  void aHookThatHangsIsLeftInTime() throws Exception {
    var over = new CountDownLatch(1);
    try (var hook = TestHook.start((in, out, count) -> over.await())) {
      fails(hook.port(), SHORT, post(hook.port(), "300ms", "context deadline exceeded"));
      over.countDown();
      Awaitility.await().until(() -> hook.open() == 0);
      assertThat(webhooks.keptConnections()).isZero();
      assertThat(webhooks.calledNow()).isZero();
    }
  }

  @Test
  void theRequestsOwnTimeEndsTheCallToo() throws Exception {
    var over = new CountDownLatch(1);
    try (var hook = TestHook.start((in, out, count) -> over.await())) {
      var call =
          new WebhookCall(
              url(hook.port(), TestHook.PEM),
              new OneService(0),
              new byte[] {'{', '}'},
              LONG,
              Deadline.after(SHORT),
              MOST,
              Cancellation.NEVER);
      assertThatThrownBy(() -> webhooks.post(call))
          .hasMessage(post(hook.port(), "30s", "context deadline exceeded"));
      over.countDown();
    }
  }

  @Test
  void aHandshakeThatDoesNotEndIsLeftInTime() throws Exception {
    try (var mute = new ServerSocket(0, 5, TestHook.LOOPBACK)) {
      int port = mute.getLocalPort();
      fails(port, SHORT, post(port, "300ms", "context deadline exceeded"));
    }
  }

  @Test
  void aCallEndsWithWhoAsked() throws Exception {
    var asked = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    try (var hook =
            TestHook.start(
                (in, out, count) -> {
                  asked.countDown();
                  over.await();
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var actions = new ArrayList<Runnable>();
      var result =
          threads.submit(
              () -> webhooks.post(call(url(hook.port(), TestHook.PEM), LONG, actions::add)));
      asked.await();
      actions.forEach(Runnable::run);
      assertThatThrownBy(result::get)
          .hasRootCauseMessage(post(hook.port(), "30s", "context canceled"));
      over.countDown();
      Awaitility.await().until(() -> hook.open() == 0);
    }
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

  @Test
  void aCertificateOfAStrangerIsRefused() throws Exception {
    var stranger = Authority.create("stranger", Instant.now(), Duration.ofDays(1));
    try (var hook = TestHook.start(FRIENDLY)) {
      var client = url(hook.port(), Pem.of(stranger.certificate()));
      assertThatThrownBy(() -> webhooks.post(call(client, LONG, Cancellation.NEVER)))
          .hasMessage(
              post(
                  hook.port(),
                  "30s",
                  "tls: failed to verify certificate: x509: certificate signed by unknown"
                      + " authority"));
      assertThat(hook.requests).hasValue(0);
      var unknown = url(hook.port(), "");
      assertThatThrownBy(() -> webhooks.post(call(unknown, LONG, Cancellation.NEVER)))
          .hasMessageContaining("certificate signed by unknown authority");
    }
  }

  @Test
  void aCertificateForAnotherNameIsRefused() throws Exception {
    try (var hook = TestHook.start(0, TestHook.identity(List.of("other.ns.svc")), FRIENDLY)) {
      assertThatThrownBy(() -> post(hook))
          .hasMessageContaining("tls: failed to verify certificate: x509: ");
      assertThat(hook.requests).hasValue(0);
    }
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    var expired =
        TestHook.AUTHORITY.server(
            "hook",
            CertificateNames.of(List.of("localhost"), List.of(TestHook.LOOPBACK)),
            Instant.now().minus(Duration.ofHours(2)),
            Duration.ofHours(1));
    try (var hook = TestHook.start(0, expired, FRIENDLY)) {
      assertThatThrownBy(() -> post(hook))
          .hasMessageContaining("certificate has expired or is not yet valid");
    }
  }

  @Test
  void authoritiesThatAreNoneAreNamed() {
    assertThatThrownBy(() -> webhooks.post(call(url(1, "x"), LONG, Cancellation.NEVER)))
        .hasMessage(
            post(1, "30s", "unable to load root certificates: unable to parse bytes as PEM block"));
  }

  @Test
  void aServiceIsReachedAtItsEndpointsUnderItsOwnName() throws Exception {
    try (var hook = TestHook.start(0, TestHook.identity(List.of("hook.ns.svc")), FRIENDLY)) {
      var client =
          new WebhookClient(
              "hook", new WebhookAddress.Service("ns", "hook", 443, "/review"), TestHook.PEM);
      var call =
          new WebhookCall(
              client,
              new OneService(hook.port()),
              new byte[] {'{', '}'},
              LONG,
              Deadline.after(LONG),
              MOST,
              Cancellation.NEVER);
      assertThat(webhooks.post(call).status()).isEqualTo(200);
      var missing = new WebhookAddress.Service("ns", "absent", 443, "");
      assertThatThrownBy(
              () ->
                  webhooks.post(
                      call(
                          new WebhookClient("absent", missing, TestHook.PEM),
                          LONG,
                          Cancellation.NEVER)))
          .hasMessage(
              "Post \"https://absent.ns.svc:443/?timeout=30s\": service \"absent\" not found");
    }
  }

  @Test
  void aNameThatNobodyKnows() {
    Network nowhere =
        name -> {
          throw new UnknownHostException(name);
        };
    try (var lost = new Webhooks(nowhere, EgressSelector.DIRECT, new Random(1))) {
      var client =
          new WebhookClient(
              "hook", new WebhookAddress.Url("h.example", 443, "h.example", "/x"), "");
      assertThatThrownBy(() -> lost.post(call(client, LONG, Cancellation.NEVER)))
          .hasMessage(
              "Post \"https://h.example/x?timeout=30s\": dial tcp: lookup h.example: no such host");
    }
  }

  @Test
  void aHookThatHangsHoldsUpItsOwnCallersOnly() throws Exception {
    var over = new CountDownLatch(1);
    var most = new AtomicInteger();
    var inside = new AtomicInteger();
    try (var hanging =
            TestHook.start(
                (in, out, count) -> {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  over.await();
                  inside.decrementAndGet();
                  TestHook.answer(out, "200 OK", "", "{}");
                });
        var friendly = TestHook.start(FRIENDLY);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = new ArrayList<Future<WebhookResponse>>();
      var client = url(hanging.port(), TestHook.PEM);
      for (int i = 0; i < 10; i++) {
        waiting.add(threads.submit(() -> webhooks.post(call(client, LONG, Cancellation.NEVER))));
      }
      Awaitility.await().until(() -> inside.get() == 4);
      var other = new WebhookClient("other", url(friendly.port(), "").address(), TestHook.PEM);
      assertThat(webhooks.post(call(other, LONG, Cancellation.NEVER)).status()).isEqualTo(200);
      over.countDown();
      for (var each : waiting) {
        assertThat(each.get().status()).isEqualTo(200);
      }
      assertThat(most).hasValue(4);
    }
    Awaitility.await().until(() -> webhooks.calledNow() == 0);
  }

  /** A server that speaks HTTP/2, and tells from which port each request comes. */
  private static HttpServer http2(HttpHandler handler) throws IOException {
    var identity = TestHook.identity(List.of("localhost"));
    var options =
        HttpServerOptions.of(
                List.of(new InetSocketAddress(TestHook.LOOPBACK, 0)),
                TlsOptions.of(new TlsMaterial(identity.chain(), identity.key())))
            .withEventLoops(1);
    return HttpServer.start(options, HttpHandler.ofWhole(options.errors(), handler));
  }

  @Test
  void callsShareOneHttp2Connection() throws Exception {
    Set<Integer> peers = ConcurrentHashMap.newKeySet();
    var first = new CompletableFuture<Runnable>();
    var together = new CountDownLatch(1);
    try (var server =
            http2(
                exchange -> {
                  exchange.identified(true);
                  peers.add(exchange.remoteAddress().getPort());
                  var body = exchange.body().clone();
                  Runnable answer =
                      () -> exchange.respond(HttpAnswer.of(200, "application/json", body));
                  if (together.getCount() == 0 && first.complete(answer)) {
                    return; // answered when the second has been
                  }
                  answer.run();
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int port = server.addresses().getFirst().getPort();
      var client = url(port, TestHook.PEM);
      assertThat(webhooks.post(call(client, LONG, Cancellation.NEVER)).body()).hasSize(2);
      together.countDown();
      var slow = threads.submit(() -> webhooks.post(call(client, LONG, Cancellation.NEVER)));
      var answer = first.get();
      assertThat(webhooks.post(call(client, LONG, Cancellation.NEVER)).status()).isEqualTo(200);
      answer.run();
      assertThat(slow.get().status()).isEqualTo(200);
      assertThat(peers).hasSize(1);
      assertThat(webhooks.keptConnections()).isEqualTo(1);
    }
  }

  @Test
  void anHttp2CallThatHangsIsLeftInTimeAndOthersGoOn() throws Exception {
    var hanging = new AtomicInteger();
    try (var server =
        http2(
            exchange -> {
              exchange.identified(true);
              if (hanging.incrementAndGet() != 2) {
                exchange.respond(HttpAnswer.of(200, "application/json", new byte[] {'{', '}'}));
              }
            })) {
      int port = server.addresses().getFirst().getPort();
      var client = url(port, TestHook.PEM);
      assertThat(webhooks.post(call(client, LONG, Cancellation.NEVER)).status()).isEqualTo(200);
      fails(port, SHORT, post(port, "300ms", "context deadline exceeded"));
      assertThat(webhooks.post(call(client, LONG, Cancellation.NEVER)).status()).isEqualTo(200);
    }
  }

  @Test
  void anHttp2ServerThatStopsAndStartsIsFoundAgain() throws Exception {
    HttpHandler friendly =
        exchange -> {
          exchange.identified(true);
          exchange.respond(HttpAnswer.of(200, "application/json", new byte[] {'{', '}'}));
        };
    int port;
    try (var server = http2(friendly)) {
      port = server.addresses().getFirst().getPort();
      webhooks.post(call(url(port, TestHook.PEM), LONG, Cancellation.NEVER));
    }
    fails(
        port,
        LONG,
        post(port, "30s", "dial tcp 127.0.0.1:" + port + ": connect: connection refused"));
    try (var hook = TestHook.start(port, TestHook.identity(List.of("localhost")), FRIENDLY)) {
      assertThat(post(hook).status()).isEqualTo(200);
    }
  }

  /**
   * A cluster with one service, hook in ns, whose only endpoint is a port of this machine.
   *
   * @param port 0 when nobody should look
   */
  record OneService(int port) implements ClusterView {
    private static JsonObject json(String text) {
      return (JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable JsonObject get(String collection, String namespace, String name) {
      return name.equals("hook")
          ? json(
              """
              {"metadata":{"name":"hook","namespace":"ns"},
               "spec":{"type":"ClusterIP","clusterIP":"10.0.0.9","ports":[{"port":443}]}}
              """)
          : null;
    }

    @Override
    public List<JsonObject> list(String collection, String namespace) {
      return List.of(
          json(
              """
              {"metadata":{"labels":{"kubernetes.io/service-name":"hook"}},"addressType":"IPv4",
               "ports":[{"name":"","port":%d}],"endpoints":[{"addresses":["127.0.0.1"]}]}
              """
                  .formatted(port)));
    }

    @Override
    public long revision(String collection, String namespace, String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long changed(String collection) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Types types() {
      throw new UnsupportedOperationException();
    }
  }
}
