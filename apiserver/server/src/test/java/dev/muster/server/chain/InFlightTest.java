package dev.muster.server.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightTest {
  @Test
  void whoFindsNoPlaceIsSentAwayAndChangesNothing() {
    var places = new InFlight(1);
    places.enter();
    assertThatThrownBy(places::enter)
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(429);
              assertThat(e.details().retryAfterSeconds()).isPositive();
            });
    places.leave();
    places.enter();
    places.leave();
    assertThat(places.running()).isZero();
  }

  @Test
  void noLimitLetsEverybodyIn() {
    var places = new InFlight(0);
    for (int i = 0; i < 1000; i++) {
      places.enter();
    }
    assertThat(places.running()).isEqualTo(1000);
  }

  @Test
  void underManyThreadsTheLimitHolds() throws InterruptedException {
    int visitors = 20_000;
    var places = new InFlight(3);
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var done = new CountDownLatch(visitors);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < visitors; i++) {
        threads.execute(
            () -> {
              try {
                places.enter();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                inside.decrementAndGet();
                places.leave();
              } catch (ApiException e) {
                // Somebody else has the place.
              } finally {
                done.countDown();
              }
            });
      }
      done.await();
    }
    assertThat(most.get()).isBetween(1, 3);
    assertThat(places.running()).isZero();
  }
}
