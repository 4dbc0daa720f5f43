package dev.muster.controllers.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
  private final AtomicLong time = new AtomicLong();

  @Test
  void aBurstPassesAndTheRestWaitsItsTurn() {
    var limit = new RequestLimit(10, 2, time::get);
    assertThat(limit.reserve()).isZero();
    assertThat(limit.reserve()).isZero();
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(100));
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(200));
    time.addAndGet(Duration.ofMillis(200).toNanos());
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void aQuietTimeFillsTheBurstAndNoMore() {
    var limit = new RequestLimit(10, 2, time::get);
    time.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(limit.reserve()).isZero();
    assertThat(limit.reserve()).isZero();
    assertThat(limit.reserve()).isPositive();
  }
}
