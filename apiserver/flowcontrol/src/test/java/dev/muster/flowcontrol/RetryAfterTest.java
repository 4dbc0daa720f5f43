package dev.muster.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryAfterTest {
  private final RetryAfter retryAfter = new RetryAfter();

  private int refuse(int count, long second) {
    int answer = 0;
    for (int i = 0; i < count; i++) {
      answer = retryAfter.refused(second);
    }
    return answer;
  }

  @Test
  void itDoublesWhileManyAreSentAwayAndNoFurtherThanHalfAMinute() {
    assertThat(refuse(10, 100)).isEqualTo(1);
    assertThat(refuse(10, 101)).isEqualTo(2);
    assertThat(refuse(10, 102)).isEqualTo(2);
    assertThat(refuse(10, 103)).isEqualTo(4);
    for (int second = 104; second < 300; second++) {
      refuse(200, second);
    }
    assertThat(refuse(1, 300)).isEqualTo(32);
  }

  @Test
  void itFallsByOneWhenFewAre() {
    refuse(10, 100);
    refuse(10, 101);
    refuse(10, 102);
    assertThat(refuse(1, 103)).isEqualTo(4);
    assertThat(refuse(1, 200)).isEqualTo(3);
    assertThat(refuse(1, 300)).isEqualTo(2);
    assertThat(refuse(1, 400)).isEqualTo(1);
    assertThat(refuse(1, 500)).isEqualTo(1);
  }
}
