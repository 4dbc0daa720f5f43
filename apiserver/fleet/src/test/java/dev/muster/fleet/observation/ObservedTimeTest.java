package dev.muster.fleet.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ObservedTimeTest {
  private final ObservedTime time = new ObservedTime();

  private static Duration seconds(int number) {
    return Duration.ofSeconds(number);
  }

  @Test
  void onlyTimeUpToAMomentOfCertaintyCounts() {
    assertThat(time.advance(seconds(10))).isEqualTo(new ObservedTime.Step(Duration.ZERO, true));
    assertThat(time.advance(seconds(11))).isEqualTo(new ObservedTime.Step(seconds(1), false));
    assertThat(time.advance(seconds(11))).isEqualTo(new ObservedTime.Step(Duration.ZERO, false));
    assertThat(time.advance(seconds(12))).isEqualTo(new ObservedTime.Step(seconds(1), false));
  }

  @Test
  void aShortGapCountsForLittleAndALongOneForgivesEverybody() {
    time.advance(seconds(10));
    assertThat(time.advance(seconds(15))).isEqualTo(new ObservedTime.Step(seconds(2), false));
    assertThat(time.advance(seconds(40)).interrupted()).isTrue();
    assertThat(time.advance(seconds(41))).isEqualTo(new ObservedTime.Step(seconds(1), false));
  }
}
