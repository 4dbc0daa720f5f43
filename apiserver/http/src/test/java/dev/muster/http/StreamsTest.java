package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.exchange.FlushCount;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class StreamsTest {
  private static final ServerResponse HEAD =
      new ServerResponse(
          200, List.of(new Header("content-type", "application/json")), List.of(), false);

  private record Opened(HttpExchange exchange, HttpStream stream) {
    void run(Runnable task) {
      exchange.eventLoop().execute(task);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void eventsArriveAsTheyAreWrittenAndTheEndIsProper(HttpClient.Version version) throws Exception {
    var opened = new ConcurrentLinkedQueue<Opened>();
    var closed = new CountDownLatch(1);
    try (var server =
            TestServer.start(
                exchange -> {
                  var stream = exchange.stream(HEAD);
                  stream.onClose(closed::countDown);
                  opened.add(new Opened(exchange, stream));
                });
        var client = TestServer.client(version)) {
      var answer =
          client
              .sendAsync(
                  HttpRequest.newBuilder(server.uri("/watch")).build(), BodyHandlers.ofLines())
              .get(60, TimeUnit.SECONDS);
      var watch = opened.element();
      var lines = answer.body().iterator();
      for (int i = 0; i < 100; i++) {
        var event = bytes("event " + i + "\n");
        watch.run(
            () -> {
              watch.stream().write(event);
              watch.stream().flush();
            });
        assertThat(lines.next()).isEqualTo("event " + i);
      }
      watch.run(watch.stream()::finish);
      assertThat(lines.hasNext()).isFalse();
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aStreamMayBeStartedFromAnotherThread(HttpClient.Version version) throws Exception {
    try (var server =
            TestServer.start(
                exchange ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              var stream = exchange.stream(HEAD);
                              exchange
                                  .eventLoop()
                                  .execute(
                                      () -> {
                                        stream.write(bytes("x"));
                                        stream.finish();
                                      });
                            }));
        var client = TestServer.client(version)) {
      assertThat(
              client
                  .send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofString())
                  .body())
          .isEqualTo("x");
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aClientThatLeavesEndsItsStreamAndCancelsItsRequest(HttpClient.Version version)
      throws Exception {
    var closed = new CountDownLatch(1);
    var cancelled = new CountDownLatch(2);
    try (var server =
            TestServer.start(
                exchange -> {
                  exchange.onCancel(cancelled::countDown);
                  if (exchange.path().equals("/watch")) {
                    exchange.stream(HEAD).onClose(closed::countDown);
                  }
                });
        var client = TestServer.client(version)) {
      var watch =
          client
              .sendAsync(
                  HttpRequest.newBuilder(server.uri("/watch")).build(),
                  BodyHandlers.ofInputStream())
              .get(60, TimeUnit.SECONDS);
      var slow =
          client.sendAsync(
              HttpRequest.newBuilder(server.uri("/slow")).build(), BodyHandlers.ofString());
      Awaitility.await().until(() -> server.server.counters().requestsInFlight.sum() == 1);
      watch.body().close();
      slow.cancel(true);
      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.server.counters().requestsInFlight.sum()).isZero();
    }
  }

  /** Writes as much as the stream lets it, for ever. */
  private static final class Fire {
    final AtomicLong written = new AtomicLong();
    final AtomicInteger refills = new AtomicInteger();
    private final HttpStream stream;
    private final byte[] event = new byte[1024];

    Fire(HttpStream stream) {
      this.stream = stream;
      stream.onWritable(
          () -> {
            refills.incrementAndGet();
            go();
          });
    }

    void go() {
      for (int i = 0; i < 1000 && stream.writable(); i++) {
        stream.write(event);
        written.addAndGet(event.length);
      }
      stream.flush();
      stream.writable();
    }
  }

  @Test
  void aClientThatStopsReadingBoundsWhatIsWrittenAndHurtsNobody() throws Exception {
    var fires = new ConcurrentLinkedQueue<Fire>();
    try (var server =
            TestServer.start(
                exchange -> {
                  if (exchange.path().equals("/fire")) {
                    var fire = new Fire(exchange.stream(HEAD));
                    fires.add(fire);
                    for (int i = 0; i < 100; i++) {
                      fire.go();
                    }
                  } else {
                    exchange.respond(ServerResponse.of(200, "text/plain", bytes("ok")));
                  }
                },
                options -> options.withEventLoops(1));
        var deafHttp2 = new RawHttp2(server.port(), false);
        var deafHttp1 = new RawHttp1(server.port(), 4096);
        var client = TestServer.client(HttpClient.Version.HTTP_2)) {
      for (int i = 0; i < 50; i++) {
        deafHttp2.get(2 * i + 1, "/fire");
      }
      deafHttp1.get("/fire");
      Awaitility.await().until(() -> fires.size() == 51);
      for (int i = 0; i < 20; i++) {
        var answer =
            client.send(
                HttpRequest.newBuilder(server.uri("/")).timeout(Duration.ofSeconds(5)).build(),
                BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("ok");
      }
      // What the sockets took, and then at most what one connection may have queued.
      long sum = fires.stream().mapToLong(fire -> fire.written.get()).sum();
      assertThat(sum).isLessThan(24L << 20);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aStreamThatWasFullGoesOnWhenTheClientCatchesUp(HttpClient.Version version) throws Exception {
    var fires = new ConcurrentLinkedQueue<Fire>();
    try (var server =
            TestServer.start(
                exchange -> {
                  var fire = new Fire(exchange.stream(HEAD));
                  fires.add(fire);
                  fire.go();
                });
        var client = TestServer.client(version)) {
      HttpResponse<InputStream> answer =
          client
              .sendAsync(
                  HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofInputStream())
              .get(60, TimeUnit.SECONDS);
      long wanted = 64L << 20;
      long read = 0;
      var buffer = new byte[64 * 1024];
      while (read < wanted) {
        int some = answer.body().read(buffer);
        assertThat(some).isPositive();
        read += some;
      }
      assertThat(fires.element().refills.get()).isPositive();
      answer.body().close();
    }
  }

  @Test
  void manyStreamsOfOneConnectionAreFlushedTogether() throws Exception {
    var opened = new ConcurrentLinkedQueue<Opened>();
    try (var server =
            TestServer.start(
                exchange -> {
                  exchange.identified(true);
                  opened.add(new Opened(exchange, exchange.stream(HEAD)));
                },
                options -> options.withEventLoops(1));
        var client = new RawHttp2(server.port())) {
      for (int i = 0; i < 200; i++) {
        client.get(2 * i + 1, "/watch");
      }
      Awaitility.await().until(() -> opened.size() == 200);
      var event = bytes("e");
      var first = opened.element();
      long before = FlushCount.of(first.exchange());
      first.run(
          () -> {
            for (var watch : opened) {
              watch.stream().write(event);
              watch.stream().flush();
            }
          });
      Awaitility.await()
          .until(
              () -> client.frames.stream().filter(f -> f.type() == RawHttp2.DATA).count() == 200);
      assertThat(FlushCount.of(first.exchange()) - before).isEqualTo(1);
    }
  }
}
