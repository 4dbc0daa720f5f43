package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.HttpHandler;
import dev.muster.http.ServerResponse;
import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls to webhooks that speak HTTP/2. */
class WebhooksOverHttp2Test extends WebhookCalls {
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
                      () -> exchange.respond(ServerResponse.of(200, "application/json", body));
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

  /** Each of them connects, for there is no connection yet; one of these is kept. */
  @Test
  void firstCallsMayComeTogether() throws Exception {
    int together = 4;
    var all = new CyclicBarrier(together);
    try (var server =
            http2(
                exchange -> {
                  exchange.identified(true);
                  exchange.respond(
                      ServerResponse.of(200, "application/json", new byte[] {'{', '}'}));
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var client = url(server.addresses().getFirst().getPort(), TestHook.PEM);
      var answers = new ArrayList<Future<WebhookResponse>>();
      for (int i = 0; i < together; i++) {
        answers.add(
            threads.submit(
                () -> {
                  all.await();
                  return webhooks.post(call(client, LONG, Cancellation.NEVER));
                }));
      }
      for (var answer : answers) {
        assertThat(answer.get().status()).isEqualTo(200);
      }
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
                exchange.respond(ServerResponse.of(200, "application/json", new byte[] {'{', '}'}));
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
          exchange.respond(ServerResponse.of(200, "application/json", new byte[] {'{', '}'}));
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
}
