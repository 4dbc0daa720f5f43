package dev.muster.fleet.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplicaFreshnessTest {
  @Test
  void aStoreThatDoesNotAnswerLeavesTheMomentInThePast() {
    try (var store = new MemoryStore();
        var server = new TestServer(store, TestClock.create())) {
      var freshness = new ReplicaFreshness(server.replica());
      var now = new AtomicInteger(10);
      await().until(() -> freshness.lastKnown(Duration.ofSeconds(now.get())).equals(seconds(10)));
      server.link().cut();
      for (int i = 11; i < 40; i++) {
        assertThat(freshness.lastKnown(seconds(i))).isEqualTo(seconds(10));
      }
      server.link().mend();
      now.set(40);
      await()
          .until(
              () ->
                  freshness.lastKnown(seconds(now.getAndIncrement())).compareTo(seconds(40)) >= 0);
    }
  }

  private static Duration seconds(int number) {
    return Duration.ofSeconds(number);
  }
}
