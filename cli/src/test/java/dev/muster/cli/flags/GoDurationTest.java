package dev.muster.cli.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0,PT0S,0s",
    "60s,PT1M,1m0s",
    "1h,PT1H,1h0m0s",
    "1h1.5s,PT1H1.5S,1h0m1.5s",
    "300ms,PT0.3S,300ms",
    "1.5us,PT0.0000015S,1.5µs",
    "12ns,PT0.000000012S,12ns",
    "-2m,PT-2M,-2m0s",
    ".5h,PT30M,30m0s",
    "100h,PT100H,100h0m0s",
  })
  void readsAndWritesGosNotation(String text, Duration duration, String written) {
    assertThat(GoDuration.parse(text)).isEqualTo(duration);
    assertThat(GoDuration.text(duration)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "s", "1d", "1h ", "1h-2m", "999999999999h"})
  void refusesAnythingElse(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
  }
}
