package dev.muster.server.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private final List<String> went = new ArrayList<>();

  private void enter(InFlight places, String name) {
    places.enter(Runnable::run, () -> went.add(name));
  }

  @Test
  void whoFindsNoPlaceGoesOnInTurnWhenOthersLeave() {
    var places = new InFlight(1, 10);
    enter(places, "a");
    enter(places, "b");
    enter(places, "c");
    assertThat(went).containsExactly("a");
    assertThat(places.waiting()).isEqualTo(2);
    places.leave();
    assertThat(went).containsExactly("a", "b");
    places.leave();
    assertThat(went).containsExactly("a", "b", "c");
    places.leave();
    assertThat(places.running()).isZero();
    assertThat(places.waiting()).isZero();
  }

  @Test
  void whoFindsTheLineTooLongIsSentAwayAndChangesNothing() {
    var places = new InFlight(1, 1);
    enter(places, "a");
    enter(places, "b");
    assertThatThrownBy(() -> enter(places, "c"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(429);
              assertThat(e.details().retryAfterSeconds()).isPositive();
            });
    places.leave();
    places.leave();
    assertThat(went).containsExactly("a", "b");
    assertThat(places.running()).isZero();
  }

  @Test
  void noLimitLetsEverybodyIn() {
    var places = new InFlight(0, 0);
    for (int i = 0; i < 1000; i++) {
      enter(places, "x");
    }
    assertThat(went).hasSize(1000);
  }

  @Test
  void underManyThreadsNobodyIsForgottenAndTheLimitHolds() throws InterruptedException {
    int visitors = 20_000;
    var places = new InFlight(3, visitors);
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var done = new CountDownLatch(visitors);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < visitors; i++) {
        threads.execute(
            () ->
                places.enter(
                    threads,
                    () -> {
                      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(1000));
                      inside.decrementAndGet();
                      places.leave();
                      done.countDown();
                    }));
      }
      done.await();
    }
    assertThat(most.get()).isBetween(1, 3);
    assertThat(places.running()).isZero();
    assertThat(places.waiting()).isZero();
  }
}
