package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Clients that keep their connections and never pause, while the server stops. */
@Tag("slow")
@Timeout(60)
class BusyShutdownTest {
  private static final int CLIENTS = 24;

  private final AtomicInteger answered = new AtomicInteger();
  private final CountDownLatch busy = new CountDownLatch(CLIENTS);
  private final List<String> lost = Collections.synchronizedList(new ArrayList<>());

  @RepeatedTest(5)
  void everyRequestIsAnsweredOrItsConnectionWasAnnouncedToClose() throws Exception {
    var answer = ServerResponse.of(200, "text/plain", new byte[] {'k'});
    var server = TestServer.start(exchange -> exchange.respond(answer));
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofVirtual().start(() -> run(server.port())));
    }
    busy.await();

    server.server.stopAccepting();
    server.server.goAway(Duration.ofMillis(100));
    server.server.close(Duration.ofSeconds(20));

    for (var client : clients) {
      client.join();
    }
    assertThat(lost).isEmpty();
    assertThat(answered).hasPositiveValue();
  }

  private void run(int port) {
    try (var connection = new RawHttp1(port)) {
      for (int sent = 0; ; sent++) {
        connection.get("/");
        var answer = connection.answer();
        answered.incrementAndGet();
        if (sent == 20) {
          busy.countDown();
        }
        if ("close".equals(answer.header("connection"))) {
          return;
        }
        Thread.yield();
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      lost.add(e.toString());
    }
  }
}
